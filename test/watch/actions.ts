import fc from 'fast-check';
import { type Action, reduce } from '../../src/watch/reduce.ts';
import { initialState, languages, screens, type WatchState } from '../../src/watch/state.ts';
import { reports } from '../render/reports.ts';

const subject = { context: 'prod-eu', namespace: 'shop', service: 'echo', port: null };
export const noon = Date.parse('2026-11-29T12:00:00Z');

export function fresh(): WatchState {
  return initialState(subject, noon);
}

/** The state after some actions. */
export function reduced(actions: readonly Action[], from: WatchState = fresh()): WatchState {
  return actions.reduce(reduce, from);
}

const report = fc.constantFrom(...Object.values(reports));
const by = fc.oneof(fc.integer({ min: -60, max: 60 }), fc.constantFrom('start' as const, 'end' as const));
const item = fc.oneof(
  report.chain(({ status }) =>
    status.pods.length === 0
      ? fc.constant({ kind: 'pod' as const, name: 'gone' })
      : fc.constantFrom(...status.pods).map(({ name }) => ({ kind: 'pod' as const, name })),
  ),
  fc.constantFrom('new-pods-idle', 'no such cause').map((id) => ({ kind: 'cause' as const, id })),
  fc.constantFrom('shop/deployment/web', '/').map((key) => ({ kind: 'client' as const, key })),
  fc.constantFrom('l7-proxy', 'no such strategy').map((id) => ({ kind: 'strategy' as const, id })),
);

/** Any action that the session or a key may send. */
export const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('report' as const),
    report: fc.tuple(report, fc.integer({ min: 0, max: 600 })).map(([one, seconds]) => ({
      ...one,
      metadata: { ...one.metadata, generatedAt: new Date(noon + seconds * 1000).toISOString() },
    })),
    waitingFor: fc.constantFrom(null, 'the second sample'),
    at: fc.integer({ min: noon, max: noon + 600_000 }),
  }),
  fc.record({
    kind: fc.constant('step' as const),
    id: fc.constantFrom('service' as const, 'connections' as const, 'clients' as const),
    state: fc.constantFrom('running' as const, 'done' as const, 'partial' as const, 'failed' as const),
    text: fc.string(),
  }),
  fc.record({ kind: fc.constant('problem' as const), message: fc.string() }),
  fc.record({
    kind: fc.constant('tick' as const),
    now: fc.integer({ min: noon, max: noon + 600_000 }),
    asleep: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('screen' as const), screen: fc.constantFrom(...screens) }),
  fc.record({ kind: fc.constant('next-screen' as const), by: fc.constantFrom(1 as const, -1 as const) }),
  fc.record({ kind: fc.constant('move' as const), by, length: fc.nat(1000) }),
  fc.record({ kind: fc.constant('open' as const), item }),
  fc.record({
    kind: fc.constant('overlay' as const),
    overlay: fc.constantFrom(
      { kind: 'help' as const },
      { kind: 'command' as const },
      { kind: 'fix' as const, strategy: null },
      { kind: 'fix' as const, strategy: 'max-connection-age' },
    ),
  }),
  fc.record({
    kind: fc.constant('filter' as const),
    text: fc.constantFrom('', 'echo', '1', 'web', 'no such name'),
    typing: fc.boolean(),
  }),
  fc.constantFrom('back', 'order', 'port', 'pause', 'clients', 'language').map((kind) => ({ kind }) as Action),
  fc.record({ kind: fc.constant('notice' as const), text: fc.string() }),
);

export const languageCount = languages.length;
