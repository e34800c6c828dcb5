/**
 * Remembers the last few results of a pure function. A live watch asks the same question every few seconds, and a
 * simulation of some 50 ms would be most of what it costs; the answer depends on the arguments alone, so nothing else
 * changes.
 */
export function remembering<Arguments extends readonly unknown[], Result>(
  compute: (...args: Arguments) => Result,
  keyOf: (...args: Arguments) => string,
): (...args: Arguments) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = keyOf(...args);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(...args);
    results.set(key, result);
    const oldest = results.size > most ? results.keys().next() : undefined;
    if (oldest?.done === false) results.delete(oldest.value);
    return result;
  };
}

const most = 4;
