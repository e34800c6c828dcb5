import { ok } from '../../result/result.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import { isHtml, proxyHint } from '../errors/status-error.ts';
import { asObject, asText, excessOf, type JsonObject, parseJson } from '../errors/unknown-json.ts';
import type { GetOptions, KubeList, KubeResult, ListOptions, TimedText } from '../types.ts';
import { answerLimits, sizeOf } from './limits.ts';
import { withoutLongTexts } from './long-texts.ts';
import { type DatedResponse, send } from './send.ts';
import type { Session } from './session.ts';

const jsonType = 'application/json';
/** As kubectl's `--chunk-size`. */
const defaultChunkSize = 500;

export async function getJson(session: Session, path: string, options: GetOptions): Promise<KubeResult<unknown>> {
  const answer = await send(session, { ...options, path, accept: jsonType });
  if (!answer.ok) return answer;
  const object = readObject(session, options.request, answer.value);
  return object.ok ? { ...object, serverDate: answer.value.serverDate } : object;
}

/** Objects of one answer of a list. */
interface Page {
  readonly items: readonly unknown[];
  /** Length of the answer. */
  readonly length: number;
}

export async function getText(session: Session, path: string, options: GetOptions): Promise<KubeResult<TimedText>> {
  const answer = await send(session, { ...options, path, accept: 'text/plain, */*;q=0.5' });
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
  let length = 0;
  let serverDate: string | null = null;
  for await (const page of eachPage(session, path, options)) {
    if (!page.ok) return page;
    length += page.value.length;
    if (length > answerLimits.listBytes)
      return failure('bad-answer', options.request, `the list is longer than ${sizeOf(answerLimits.listBytes)}`);
    for (const item of page.value.items) items.push(item);
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
  for await (const page of eachPage(session, path, options))
    yield page.ok ? { ...page, value: page.value.items } : page;
}

async function* eachPage(session: Session, path: string, options: ListOptions): AsyncGenerator<KubeResult<Page>> {
  const { chunkSize = defaultChunkSize, ...get } = options;
  const fail = (message: string) => failure('bad-answer', options.request, message);
  const startedAt = performance.now();
  let token: string | undefined;
  let items = 0;
  for (let page = 1; page === 1 || token !== undefined; page += 1) {
    const query = { ...get.query, limit: String(chunkSize), ...(token === undefined ? {} : { continue: token }) };
    const answer = await send(session, { ...get, query, path, accept: jsonType });
    if (!answer.ok) return yield answer;
    const read = readObject(session, options.request, answer.value);
    if (!read.ok) return yield read;
    const found = read.value['items'];
    // Go writes an empty slice as null.
    if (!Array.isArray(found) && found !== null) return yield fail('the answer is not a list');
    items += found?.length ?? 0;
    const tooMany = beyond(page, items, performance.now() - startedAt);
    if (tooMany !== null) return yield fail(tooMany);
    const value = { items: found ?? [], length: answer.value.text.length };
    yield { ok: true, value, serverDate: answer.value.serverDate };
    const next = asText(asObject(read.value['metadata'])?.['continue']);
    if (next !== undefined && next === token) return yield fail('the list goes round in a circle');
    token = next;
  }
}

/** Which limit a list has passed, in words; null: none. */
function beyond(page: number, items: number, tookMs: number): string | null {
  const { listItems, listPages, listMs } = answerLimits;
  if (items > listItems) return `the list has more than ${listItems} objects`;
  if (page > listPages) return `the list does not end after ${listPages} pages`;
  return tookMs > listMs ? `the list did not end within ${listMs / 1000} s` : null;
}

function readObject(session: Session, request: string, answer: DatedResponse): KubeOutcome<JsonObject> {
  const { server } = session.connection;
  if (isHtml(answer)) {
    const message = 'an HTML page came instead of JSON';
    return failure('bad-answer', request, message, { status: answer.status, hint: proxyHint(server) });
  }
  const { text, left } = withoutLongTexts(answer.text, answerLimits.textBytes);
  if (left > 0) {
    const [texts, are] = left === 1 ? ['1 text', 'is'] : [`${left} texts`, 'are'];
    session.host.log(0, `Warning: ${request}: ${texts} longer than ${sizeOf(answerLimits.textBytes)} ${are} left out`);
  }
  const object = asObject(parseJson(text));
  if (object === undefined) {
    const fault = `the answer ${excessOf(text) ?? 'is not a JSON object'}`;
    return failure('bad-answer', request, fault, { status: answer.status });
  }
  return ok(object);
}
