import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** Where an expression can be replaced: the mutants that stand there. */
export interface Site {
  readonly numbers: readonly number[];
  readonly pure: boolean;
}

/** Stands for a program that does not come to an end. */
export class OutOfTime extends Error {}

/**
 * Chooses, wherever a mutant could be, between what is written there and the mutant. Three ways to run: as written; as
 * written, and noted which mutants would have computed something else (`probe`); as one mutant (`run`).
 */
export class MutantSwitch {
  /** Caches of the program: emptied before each run. */
  readonly #caches = new Set<{ reset(): void }>();
  #active = -1;
  #probed: Set<number> | null = null;
  #inRun = false;
  #asked = 0;
  #mayAsk = Number.POSITIVE_INFINITY;
  #until = Number.POSITIVE_INFINITY;
  readonly #isOpen: (mutant: number) => boolean;
  /** Mutants that make a difference before any test runs: while modules are loaded. */
  readonly atLoad = new Set<number>();
  readonly Map: MapConstructor;
  readonly WeakMap: WeakMapConstructor;

  constructor(isOpen: (mutant: number) => boolean) {
    this.#isOpen = isOpen;
    const isLoading = () => !this.#inRun;
    const caches = this.#caches;
    this.Map = class<K, V> extends Map<K, V> {
      constructor() {
        super();
        if (isLoading()) caches.add({ reset: () => this.clear() });
      }
    } as MapConstructor;
    this.WeakMap = class<K extends WeakKey, V> {
      #entries = new WeakMap<K, V>();
      constructor() {
        if (isLoading()) caches.add({ reset: () => (this.#entries = new WeakMap()) });
      }
      get = (key: K) => this.#entries.get(key);
      has = (key: K) => this.#entries.has(key);
      set = (key: K, value: V) => this.#entries.set(key, value);
      delete = (key: K) => this.#entries.delete(key);
    } as unknown as WeakMapConstructor;
  }

  /** From now on the program is this mutant, when it is loaded, too. */
  activate(mutant: number): void {
    this.#active = mutant;
  }

  /** Counts a site that is passed, or a turn of a loop. */
  count(): void {
    if (++this.#asked > this.#mayAsk || (this.#asked % 1024 === 0 && performance.now() > this.#until)) {
      throw new OutOfTime('the mutant does not come to an end');
    }
  }

  at<T>(site: Site, original: () => T, mutated: (mutant: number) => T): T {
    this.count();
    if (this.#active >= 0) return site.numbers.includes(this.#active) ? mutated(this.#active) : original();
    if (this.#inRun && this.#probed === null) return original();
    const noted = this.#probed ?? this.atLoad;
    const value = original();
    for (const number of site.numbers) {
      if (noted.has(number) || !this.#isOpen(number)) continue;
      if (!site.pure || this.#differs(value, () => mutated(number))) noted.add(number);
    }
    return value;
  }

  /** Without notes inside: what only a mutant computes is no difference of another. */
  #differs<T>(value: T, compute: () => T): boolean {
    const [probed, inRun] = [this.#probed, this.#inRun];
    this.#probed = null;
    this.#inRun = true;
    try {
      return !Object.is(compute(), value);
    } catch {
      return true;
    } finally {
      this.#probed = probed;
      this.#inRun = inRun;
    }
  }

  /** The mutants that compute something else in this run, and how often a site was passed. */
  async probe(run: () => unknown): Promise<{ readonly different: Set<number>; readonly asked: number }> {
    const different = new Set<number>();
    this.#probed = different;
    try {
      await this.#isolated(run);
      return { different, asked: this.#asked };
    } finally {
      this.#probed = null;
    }
  }

  /** One run as a mutant, which may pass so many sites and take so many milliseconds. Rejects when the run fails. */
  async run(mutant: number, mayAsk: number, milliseconds: number, run: () => unknown): Promise<void> {
    this.#active = mutant;
    this.#mayAsk = mayAsk;
    this.#until = performance.now() + milliseconds;
    try {
      await this.#isolated(run);
    } finally {
      this.#active = -1;
      this.#mayAsk = Number.POSITIVE_INFINITY;
      this.#until = Number.POSITIVE_INFINITY;
    }
  }

  async #isolated(run: () => unknown): Promise<void> {
    for (const cache of this.#caches) cache.reset();
    this.#asked = 0;
    this.#inRun = true;
    try {
      await run();
    } finally {
      this.#inRun = false;
      for (const cache of this.#caches) cache.reset();
    }
  }
}

/** How a mutant made a difference: to a test, or to what is computed while modules are loaded. */
const reached = { inTest: 1, atLoad: 2 } as const;

/** Bytes of a mutant: whether it is killed, and where it made a difference. */
const bytesEach = 2;

/** What is known of each mutant, shared by the processes of a run in a file. */
export class Ledger {
  readonly #file: number;
  readonly #known: Uint8Array;

  /** A new one for so many mutants, or, without a size, the one that is there. */
  constructor(path: string, size?: number) {
    this.#file = openSync(path, size === undefined ? 'r+' : 'w+');
    if (size !== undefined) writeSync(this.#file, new Uint8Array(bytesEach * size));
    this.#known = new Uint8Array(fstatSync(this.#file).size);
    this.refresh();
  }

  /** Learns what other processes have noted. */
  refresh(): void {
    readSync(this.#file, this.#known, 0, this.#known.length, 0);
  }

  isKilled(mutant: number): boolean {
    return this.#known[bytesEach * mutant] === 1;
  }

  kill(mutant: number): void {
    this.#note(bytesEach * mutant, 1);
  }

  reachedBy(mutant: number): keyof typeof reached | null {
    const how = this.#known[bytesEach * mutant + 1];
    return how === reached.atLoad ? 'atLoad' : how === reached.inTest ? 'inTest' : null;
  }

  reach(mutant: number, how: keyof typeof reached): void {
    this.refresh();
    if ((this.#known[bytesEach * mutant + 1] ?? 0) < reached[how]) this.#note(bytesEach * mutant + 1, reached[how]);
  }

  #note(position: number, value: number): void {
    this.#known[position] = value;
    writeSync(this.#file, this.#known, position, 1, position);
  }

  close(): void {
    closeSync(this.#file);
  }
}
