import { closeSync, openSync, readSync, writeSync } from 'node:fs';

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

  at<T>(site: Site, original: () => T, mutated: (mutant: number) => T): T {
    if (++this.#asked > this.#mayAsk || (this.#asked % 1024 === 0 && performance.now() > this.#until)) {
      throw new OutOfTime('the mutant does not come to an end');
    }
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

/**
 * What is known of each mutant, shared by the processes of a run: a file of two bytes a mutant, one for "killed", one for
 * "made a difference" (1 in a test, 2 at load).
 */
export class Ledger {
  readonly #file: number;
  readonly #byte = new Uint8Array(1);

  constructor(path: string, size: number | null) {
    this.#file = openSync(path, size === null ? 'r+' : 'w+');
    if (size !== null) writeSync(this.#file, new Uint8Array(2 * size));
  }

  #read(position: number): number {
    readSync(this.#file, this.#byte, 0, 1, position);
    return this.#byte[0] ?? 0;
  }

  isKilled = (mutant: number): boolean => this.#read(2 * mutant) === 1;

  kill(mutant: number): void {
    writeSync(this.#file, new Uint8Array([1]), 0, 1, 2 * mutant);
  }

  reached = (mutant: number): number => this.#read(2 * mutant + 1);

  reach(mutant: number, how: 1 | 2): void {
    if (this.reached(mutant) < how) writeSync(this.#file, new Uint8Array([how]), 0, 1, 2 * mutant + 1);
  }

  close(): void {
    closeSync(this.#file);
  }
}
