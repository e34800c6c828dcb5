import type { Mutant, Place, SourceFile } from './changes.ts';
import { child, walk } from './syntax.ts';

/** A mutant and its number in this run. */
export interface Numbered extends Mutant {
  readonly number: number;
}

interface Site {
  readonly place: Place;
  readonly choices: { readonly number: number; readonly text: string; readonly pure: boolean }[];
}

/**
 * The text of a file with all its mutants in it, each behind a switch (`mutantSwitch` of switch.ts), so that one load of
 * the program serves them all.
 */
export function instrument(file: SourceFile, mutants: readonly Numbered[]): string {
  const sites = new Map<string, Site>();
  for (const { number, places } of mutants) {
    for (const place of places.filter((place) => place.file === file.path)) {
      const key = `${place.start}-${place.end}`;
      const site = sites.get(key) ?? { place, choices: [] };
      sites.set(key, site);
      site.choices.push({ number, text: place.text, pure: place.pure });
    }
  }
  const outerFirst = [...sites.values()].sort((a, b) => a.place.start - b.place.start || b.place.end - a.place.end);
  const table = outerFirst.map(({ choices }) => ({
    numbers: choices.map(({ number }) => number),
    pure: choices.every(({ pure }) => pure),
  }));
  const text = write(withGuards(file), 0, file.text.length, [...outerFirst.entries()]);
  // What is remembered between calls must not outlive a mutant.
  const caches = text.replaceAll(/\bnew (Weak)?Map(<[^()]*>)?\(\)/g, 'new mutantSwitch.$1Map$2()');
  return `const mutantSites = ${JSON.stringify(table)};${caches}`;
}

type Slice = (from: number, to: number) => string;

/** The text of a file, in pieces; each turn of a loop counts, since a mutant may turn for ever. */
function withGuards({ text, tree }: SourceFile): Slice {
  const inserts = [...walk(tree)]
    .filter(({ type }) => /^(For|While|DoWhile)Statement$/.test(type))
    .flatMap((loop) => {
      const body = child(loop, 'body');
      if (body === null) return [];
      const { start, end } = body;
      if (body.type === 'BlockStatement') return [{ at: start + 1, text: ' mutantSwitch.count();' }];
      return [
        { at: start, text: '{ mutantSwitch.count(); ' },
        { at: end, text: ' }' },
      ];
    })
    .sort((a, b) => a.at - b.at);
  return (from, to) => {
    const here = inserts.filter(({ at }) => at >= from && at < to);
    const ends = [...here.map(({ at }) => at), to];
    return (
      text.slice(from, ends[0]) +
      here.map((insert, index) => insert.text + text.slice(insert.at, ends[index + 1])).join('')
    );
  };
}

function write(source: Slice, from: number, to: number, sites: readonly (readonly [number, Site])[]): string {
  let text = '';
  let at = from;
  for (const [index, [id, site]] of sites.entries()) {
    const { start, end, name } = site.place;
    if (start < at) continue;
    const inner = sites.slice(index + 1).filter(([, { place }]) => place.start >= start && place.end <= end);
    const original = write(source, name?.valueStart ?? start, end, inner);
    text += source(at, start) + named(name, original, switched(id, site, original));
    at = end;
  }
  return text + source(at, to);
}

function switched(id: number, { choices }: Site, original: string): string {
  const others = choices.map(({ number, text }) => `m === ${number} ? (${text}) : `).join('');
  return `mutantSwitch.at(mutantSites[${id}], () => (${original}), (m) => ${others}null)`;
}

function named(name: Place['name'], original: string, value: string): string {
  if (name === null) return value;
  return name.form === 'entry' ? `get ${name.text}() { return ${value}; }` : `${original}: ${value}`;
}
