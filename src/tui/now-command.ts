import type { SkewReport } from '../report/schema.ts';

/** The command of what `now` says, of the first of its parts that has one; null: none has. Printed and copied, never run. */
export function commandOfNow({ status }: SkewReport): string | null {
  const { headline, recommendation, relief } = status;
  const [first] = recommendation.first;
  const [helps] = relief;
  const parts = [
    ...(first === undefined ? [] : [{ text: first, command: recommendation.commands?.[0] ?? null }]),
    ...(helps === undefined ? [] : [{ text: helps.action, command: helps.command }]),
  ];
  const [found] = parts
    .filter(({ text, command }) => command !== null && headline.now.includes(text))
    .toSorted((a, b) => headline.now.indexOf(a.text) - headline.now.indexOf(b.text));
  return found?.command ?? null;
}
