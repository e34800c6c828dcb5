/** What could not be seen, and which right is missing for it. */
import { kubectl } from '../report/command.ts';
import type { SignalAnswer, SkewReport } from '../report/schema.ts';
import { command, labelledList, type Screen } from './lines.ts';
import { figureName } from './measured.ts';

/** What the reports of one look could not see, each missing right that they do not name, and what prints the least Role for it. */
export function notSeenOf(reports: readonly SkewReport[]): { texts: readonly string[]; rights: string | null } {
  const [own = [], ...others] = reports.map(({ status }) => status.headline.notSeen);
  const lines = [...own, ...new Set(others.flat().filter((line) => !own.includes(line)))];
  const signals = reports.flatMap(({ status, metadata }) => status.signals.map((signal) => ({ ...signal, metadata })));
  const unnamed = signals.flatMap(({ id, needs, state }) =>
    needs === null || state === 'complete' || lines.some((line) => line.includes(needs))
      ? []
      : [`${figureName(id)} (needs ${needs})`],
  );
  const refused = signals.find(({ state, needs }) => state === 'forbidden' && needs);
  return {
    texts: [...lines, ...new Set(unnamed)],
    rights: refused === undefined ? null : kubectl(refused.metadata, ['grpc-skew', 'rbac']),
  };
}

/** The same as lines. */
export function notSeenLines(screen: Screen, reports: readonly SkewReport[]): string[] {
  const { texts, rights } = notSeenOf(reports);
  return [
    ...labelledList(screen, 'not seen', texts, 'warn'),
    ...(rights === null ? [] : command(screen, rights, 'rights')),
  ];
}

/** For a scan or a census, which have no headline. */
export function unseenSignalLines(screen: Screen, signals: readonly Omit<SignalAnswer, 'ageSeconds'>[]): string[] {
  const texts = signals
    .filter(({ state }) => state !== 'complete')
    .map(({ id, reason, needs, settles }) =>
      needs === null ? `${id}: ${reason ?? ''}` : `${id} (needs ${needs}): ${settles ?? ''}`,
    );
  return labelledList(screen, 'not seen', texts, 'warn');
}
