import { cutMiddle, widthOf } from '../render/text.ts';
import { clock } from '../report/words.ts';
import type { WatchState } from '../watch/state.ts';
import { type Look, margin } from './look.ts';

/** `  prod-eu / shop / svc/echo :50051 grpc                     live  15:42:55Z`. */
export function titleLine(state: WatchState, look: Look): string {
  const { paint, signs } = look.screen;
  const { subject, report } = state;
  const port = report?.spec.port ?? null;
  const portText =
    port === null
      ? subject.port === null
        ? ''
        : `:${subject.port}`
      : `:${port.port}${port.name ? ` ${port.name}` : ''}`;
  const status = `${statusWord(state)}  ${clock(state.now)}Z`;
  const room = look.columns - margin.length - widthOf(status) - 2;
  const service = cutMiddle(
    `svc/${subject.service}${portText === '' ? '' : ` ${portText}`}`,
    Math.max(12, room - 14),
    signs.ellipsis,
  );
  const places = [subject.context, subject.namespace].map((part) =>
    cutMiddle(part, Math.max(5, Math.floor((room - widthOf(service) - 6) / 2)), signs.ellipsis),
  );
  const left = `${margin}${places.join(' / ')} / `;
  const gap = Math.max(1, look.columns - widthOf(left) - widthOf(service) - widthOf(status));
  return `${left}${paint('strong', service)}${' '.repeat(gap)}${paint(state.paused ? 'warn' : 'dim', status)}`;
}

function statusWord(state: WatchState): string {
  if (state.paused) return 'PAUSED';
  if (state.problem !== null) return 'no answer';
  if (state.asleep) return 'asleep';
  return state.waitingFor === null ? 'live' : 'looking';
}
