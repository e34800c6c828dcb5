import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Published } from '../../bench/truth/published.ts';
import { type Part, rightAdvice } from '../../bench/truth/tables.ts';
import { table } from './blocks.ts';

/** How often the program was right in the report that was published last (`npm run truth -- --publish`): overall, and by cause. */
export function truthTables(): string {
  const file = fileURLToPath(new URL('../../bench/truth/published.json', import.meta.url));
  const { families, seeds, summary, causes }: Published = JSON.parse(readFileSync(file, 'utf8'));
  const { states, named, advice, predictions, runs } = summary;
  const confidences = ['certain', 'likely', 'possible'] as const;
  const row = (parts: Readonly<Record<(typeof confidences)[number], Part>>) =>
    confidences.map((confidence) => cell(parts[confidence]));
  return [
    `${families} kinds of situation, ${seeds} runs of each, ${runs} in all.`,
    table(
      ['what was said', ...confidences.map((confidence) => `\`${confidence}\``)],
      [
        ['a cause', ...row(summary.causes)],
        ['the state', ...row(states)],
      ],
    ),
    [
      `\`unknown\` was the answer in ${states.open.right} runs (${percent(states.open)}) in which more could be known; in ${states.wrong.right} (${percent(states.wrong)}) the state was wrong, in ${states['false-fault'].right} of them a fault where there is none.`,
      `Where the load is uneven, a true cause was named in ${percent(named.atAll)} of runs, as the first in ${percent(named.first)}.`,
      `The advice was right in ${percent({ right: rightAdvice(summary), of: runs })}: ${advice['no-gain']} times it gained nothing, ${advice.missed} times one was missed, ${advice.worse + advice.harmful} times it would have made things worse.`,
      `Of the futures ${percent(predictions.inside)} lay in the range that was predicted.`,
    ].join('\n'),
    'By cause, right of named, where it was named at all:',
    table(
      ['cause', ...confidences.map((confidence) => `\`${confidence}\``)],
      Object.entries(causes)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, parts]) => [`[${id}](#${id})`, ...row(parts)]),
    ),
  ].join('\n\n');
}

const cell = (part: Part) => {
  if (part.of === 0) return '';
  return `${part.right} of ${part.of}${part.right < part.of && part.of >= 20 ? ` (${percent(part)})` : ''}`;
};

/** One decimal, where whole per cents would make all of nearly all, or nothing of a little. */
function percent({ right, of }: Part): string {
  const value = (100 * right) / of;
  return `${value > 99 || value < 10 ? value.toFixed(1) : value.toFixed(0)} %`;
}
