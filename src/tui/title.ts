import { duration } from '../render/numbers.ts';
import { cutMiddle, widthOf } from '../render/text.ts';
import { clock } from '../report/words.ts';
import { staleSeconds } from '../watch/shown.ts';
import type { WatchState } from '../watch/state.ts';
import { type Canvas, margin } from './canvas.ts';

const separator = ' / ';
/** Columns that context and namespace always have, each. */
const shortestName = 5;

/** `  prod-eu / shop / svc/echo :50051 grpc                     live  15:42:55Z`. */
export function titleLine(state: WatchState, canvas: Canvas): string {
  const { paint, signs } = canvas.screen;
  const { subject, report } = state;
  const port = report?.spec.port ?? null;
  const portText =
    port === null
      ? subject.port === null
        ? ''
        : `:${subject.port}`
      : `:${port.port}${port.name ? ` ${port.name}` : ''}${whichPort(state)}`;
  const status = `${statusWord(state)}  ${clock(state.now)}Z`;
  const room = canvas.columns - margin.length - widthOf(status) - 2;
  const service = cutMiddle(
    `svc/${subject.service}${portText === '' ? '' : ` ${portText}`}`,
    Math.max(12, room - 2 * (shortestName + separator.length)),
    signs.ellipsis,
  );
  const location = [subject.context, subject.namespace].map((name) =>
    cutMiddle(
      name,
      Math.max(shortestName, Math.floor((room - widthOf(service)) / 2) - separator.length),
      signs.ellipsis,
    ),
  );
  const left = margin + location.map((name) => name + separator).join('');
  const gap = Math.max(1, canvas.columns - widthOf(left) - widthOf(service) - widthOf(status));
  return `${left}${paint('strong', service)}${' '.repeat(gap)}${paint(isOld(state) ? 'warn' : 'dim', status)}`;
}

/** ` (2 of 3)`, where several ports have a verdict. */
function whichPort({ ports, report }: WatchState): string {
  const shown = ports.findIndex(({ port }) => port === report?.spec.port?.port);
  return ports.length < 2 || shown < 0 ? '' : ` (${shown + 1} of ${ports.length})`;
}

function isOld(state: WatchState): boolean {
  return state.paused || staleSeconds(state) !== null;
}

function statusWord(state: WatchState): string {
  if (state.paused) return 'PAUSED';
  const old = staleSeconds(state);
  if (old !== null) return `STALE ${duration(old)}`;
  if (state.asleep) return 'asleep';
  return state.waitingFor === null ? 'live' : 'looking';
}
