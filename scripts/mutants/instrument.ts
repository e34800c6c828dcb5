import type { Mutant, Place } from './changes.ts';

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
export function instrument(path: string, source: string, mutants: readonly Numbered[]): string {
  const sites = new Map<string, Site>();
  for (const { number, places } of mutants) {
    for (const place of places.filter(({ file }) => file === path)) {
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
  const text = write(source, 0, source.length, [...outerFirst.entries()]);
  return withCaches(`const mutantSites = ${JSON.stringify(table)};${text}`);
}

/** What is remembered between calls must not outlive a mutant. */
export function withCaches(text: string): string {
  return text.replaceAll(/\bnew (Weak)?Map(<[^()]*>)?\(\)/g, 'new mutantSwitch.$1Map$2()');
}

function write(source: string, from: number, to: number, sites: readonly (readonly [number, Site])[]): string {
  let text = '';
  let at = from;
  for (const [index, [id, site]] of sites.entries()) {
    const { start, end, name } = site.place;
    if (start < at) continue;
    const inner = sites.slice(index + 1).filter(([, { place }]) => place.start >= start && place.end <= end);
    const original = write(source, name?.valueStart ?? start, end, inner);
    text += source.slice(at, start) + named(name, original, switched(id, site, original));
    at = end;
  }
  return text + source.slice(at, to);
}

function switched(id: number, { choices }: Site, original: string): string {
  const others = choices.map(({ number, text }) => `m === ${number} ? (${text}) : `).join('');
  return `mutantSwitch.at(mutantSites[${id}], () => (${original}), (m) => ${others}null)`;
}

function named(name: Place['name'], original: string, value: string): string {
  if (name === null) return value;
  return name.form === 'entry' ? `get ${name.text}() { return ${value}; }` : `${original}: ${value}`;
}
