import { failure, type Outcome, success } from './outcome.ts';
import { type Answer, send } from './send.ts';
import type { Session } from './session.ts';
import { isHtml, proxyHint } from './status-error.ts';
import type { GetOptions, KubeList, KubeResult, ListOptions, TimedText } from './types.ts';
import { asObject, asText, parseJson } from './unknown-json.ts';

const jsonType = 'application/json';
/** As kubectl's `--chunk-size`. */
const defaultChunkSize = 500;

export async function getJson(session: Session, path: string, options: GetOptions): Promise<KubeResult<unknown>> {
  const answer = await send(session, { ...options, method: 'GET', path, accept: jsonType });
  if (!answer.ok) return answer;
  const object = readObject(session, options.request, answer.value);
  return object.ok ? { ...object, serverDate: answer.value.serverDate } : object;
}

export async function getText(session: Session, path: string, options: GetOptions): Promise<KubeResult<TimedText>> {
  const answer = await send(session, { ...options, method: 'GET', path, accept: 'text/plain, */*;q=0.5' });
  if (!answer.ok) return answer;
  const value = { text: answer.value.text, receivedAt: session.clock.atServer(new Date()).toISOString() };
  return { ok: true, value, serverDate: answer.value.serverDate };
}

/** All pages of a list. A continue token that expired (410) starts the list again, once. */
export async function list(session: Session, path: string, options: ListOptions): Promise<KubeResult<KubeList>> {
  const first = await listPages(session, path, options);
  return !first.ok && first.error.kind === 'gone' ? listPages(session, path, options) : first;
}

async function listPages(session: Session, path: string, options: ListOptions): Promise<KubeResult<KubeList>> {
  const items: unknown[] = [];
  let count = 0;
  let serverDate: string | null = null;
  for await (const page of pages(session, path, options)) {
    if (!page.ok) return page;
    items.push(...page.value);
    count += 1;
    serverDate = page.serverDate;
  }
  return { ok: true, value: { items, pages: count }, serverDate };
}

/** One page after the other, each forgotten when the next is asked for. A failure is the last thing that comes. */
export async function* pages(
  session: Session,
  path: string,
  options: ListOptions,
): AsyncGenerator<KubeResult<readonly unknown[]>> {
  const { chunkSize = defaultChunkSize, ...get } = options;
  let token: string | undefined;
  do {
    const query = { ...get.query, limit: String(chunkSize), ...(token === undefined ? {} : { continue: token }) };
    const page = await getJson(session, path, { ...get, query });
    if (!page.ok) return yield page;
    const object = asObject(page.value);
    const items = object?.['items'];
    // Go writes an empty slice as null.
    if (!Array.isArray(items) && items !== null)
      return yield failure('bad-answer', options.request, 'the answer is not a list');
    yield { ok: true, value: items ?? [], serverDate: page.serverDate };
    const next = asText(asObject(object?.['metadata'])?.['continue']);
    if (next !== undefined && next === token)
      return yield failure('bad-answer', options.request, 'the list goes round in a circle');
    token = next;
  } while (token !== undefined);
}

function readObject(session: Session, request: string, answer: Answer): Outcome<unknown> {
  const { server } = session.connection;
  if (isHtml(answer)) {
    const message = 'an HTML page came instead of JSON';
    return failure('bad-answer', request, message, { status: answer.status, hint: proxyHint(server) });
  }
  const object = asObject(parseJson(answer.text));
  if (object === undefined) {
    return failure('bad-answer', request, 'the answer is not a JSON object', { status: answer.status });
  }
  return success(object);
}
