import { closingQuote } from '../errors/unknown-json.ts';

/**
 * A JSON text with "" in the place of each string, or name of a field, that is longer than `most` characters; how many
 * there were. Before it is parsed: such a text would go on into everything that is made of the answer.
 */
export function withoutLongTexts(json: string, most: number): { readonly text: string; readonly left: number } {
  if (json.length <= most) return { text: json, left: 0 };
  const pieces: string[] = [];
  let kept = 0;
  let left = 0;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = closingQuote(json, start);
    if (end === -1) break;
    if (end - start - 1 > most) {
      pieces.push(json.slice(kept, start + 1));
      kept = end;
      left += 1;
    }
    start = json.indexOf('"', end + 1);
  }
  return left === 0 ? { text: json, left } : { text: pieces.join('') + json.slice(kept), left };
}
