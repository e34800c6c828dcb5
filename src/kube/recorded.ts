import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inputs, readInput, reasonOf } from '../files/read.ts';
import { ok } from '../result/result.ts';
import { failure, type KubeOutcome } from './errors/outcome.ts';
import { answerError, statusError } from './errors/status-error.ts';
import { asArray, asObject, asText, parseJson, writeJson } from './errors/unknown-json.ts';
import { refusalError } from './exec/refused.ts';
import { execEnd } from './exec/status.ts';
import { isoTime } from './requests/clock.ts';
import type { ExecOutput, ExecTarget, GetOptions, KubeClient, KubeResult, TimedText } from './types.ts';

/**
 * A cluster that was recorded: a folder of raw API answers and command outputs stands in for the API server, so that
 * what reads a cluster reads a folder, too. File names and their meaning: docs/recording.md.
 *
 * @returns the client, with the Service's own name and namespace, or what is wrong with the folder
 */
export async function openRecorded(folder: string): Promise<KubeOutcome<KubeClient & { readonly service: string }>> {
  const request = `read the recording ${folder}`;
  const folderState = await stat(folder).catch(() => null);
  if (folderState === null) return failure('config', request, 'no such file or folder');
  const service = await readAnswer(folder, 'service.json', { request });
  if (!service.ok) {
    const message = service.error.kind === 'not-found' ? 'it holds no service.json' : service.error.message;
    return failure('config', request, message, {
      hint: 'Save the Service, as the API gives it in JSON, as service.json.',
    });
  }
  const times = asObject(parseJson(orEmpty(await readRecorded(folder, 'times.json', { request })))) ?? {};
  const metadata = asObject(asObject(service.value.body)?.['metadata']);
  const looked = new Map<string, number>();
  const counts = { requests: 0, execs: 0 };

  const name = asText(metadata?.['name']) ?? 'unknown';
  const answer = async (path: string, options: GetOptions): Promise<KubeResult<unknown>> => {
    counts.requests++;
    const file = fileOf(path);
    const isOther = file === 'service.json' && !path.endsWith(`/${encodeURIComponent(name)}`);
    if (file === null || isOther) return failure('not-found', options.request, 'not part of a recording');
    const found = await readAnswer(folder, file, options);
    if (!found.ok) return found;
    const { status, body } = found.value;
    if (status >= 400) {
      const text = typeof body === 'string' ? body : (writeJson(body) ?? '');
      return { ok: false, error: statusError(options.request, { status, contentType: '', text }, folder) };
    }
    if (asObject(body) === undefined) return failure('bad-answer', options.request, `${file} is no JSON object`);
    return { ok: true, value: body, serverDate: await timeOf(folder, times, file) };
  };

  return {
    ok: true,
    value: {
      service: name,
      context: 'recording',
      namespace: asText(metadata?.['namespace']) ?? 'default',
      server: folder,
      counts,
      signIn: async () => ({ ok: true, value: null, serverDate: null }),
      getJson: answer,
      getText(path, options) {
        counts.requests++;
        return recordedText(folder, times, path, options, looked);
      },
      async list(path, options) {
        const found = await answer(path, options);
        return found.ok ? { ...found, value: { items: asArray(asObject(found.value)?.['items']), pages: 1 } } : found;
      },
      async *pages(path, options) {
        const found = await answer(path, options);
        yield found.ok ? { ...found, value: asArray(asObject(found.value)?.['items']) } : found;
      },
      exec(target, { signal } = {}) {
        counts.execs++;
        return recordedExec(folder, times, target, looked, signal);
      },
      close: async () => {},
    },
  };
}

interface RecordedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer other than 2xx is kept whole, as `{request, status, headers, body}`; others are the body alone. */
async function readAnswer(folder: string, file: string, options: GetOptions): Promise<KubeOutcome<RecordedAnswer>> {
  const text = await readRecorded(folder, file, options);
  if (!text.ok) return text;
  const body = parseJson(text.value);
  const object = asObject(body);
  const status = object?.['status'];
  return ok(
    typeof status === 'number' && object?.['request'] !== undefined
      ? { status, body: object['body'] }
      : { status: 200, body },
  );
}

/** Which file answers a path. */
function fileOf(path: string): string | null {
  const last = path.split('/').at(-1) ?? '';
  if (/\/namespaces\/[^/]+\/services\/[^/]+$/.test(path)) return 'service.json';
  if (path.includes('/metrics.k8s.io/v1beta1/') && last === 'pods') return 'metrics-pods.json';
  if (path.includes('/metrics.k8s.io/')) return null;
  // Most recordings hold the pods of one namespace.
  if (path === '/api/v1/pods') return 'pods-all.json';
  if (last === 'horizontalpodautoscalers') return 'hpa.json';
  if (path === '/apis') return 'apis.json';
  if (/^\/api\/v1\/namespaces\/[^/]+$/.test(path)) return 'namespace.json';
  const configMap = /\/namespaces\/kube-system\/configmaps\/([\w.-]+)$/.exec(path)?.[1];
  if (configMap !== undefined) return `configmap-${configMap}.json`;
  const lists = [
    'pods',
    'services',
    'endpointslices',
    'events',
    'nodes',
    'deployments',
    'replicasets',
    'statefulsets',
    'daemonsets',
    'gateways',
    'grpcroutes',
    'httproutes',
    'virtualservices',
    'destinationrules',
    'ciliumnetworkpolicies',
    'ingresses',
  ];
  return lists.includes(last) ? `${last}.json` : null;
}

/** Names of the outputs that answer a command, best first. */
function outputsOf(command: readonly string[]): readonly string[] {
  if (command[1] === '/proc/1/comm') return ['comm'];
  switch (command[0]) {
    case 'ss':
      return ['ss-tni', 'ss-Htnie', 'ss-tn'];
    case 'netstat':
      return ['netstat-tn'];
    case 'cilium-dbg':
    case 'cilium':
      return ['cilium-status'];
    default:
      return ['proc-net-tcp'];
  }
}

async function recordedExec(
  folder: string,
  times: object,
  target: ExecTarget,
  looked: Map<string, number>,
  signal: AbortSignal | undefined,
): Promise<KubeResult<ExecOutput>> {
  const request = `exec ${target.command[0] ?? ''} in pod ${target.namespace}/${target.pod}`;
  for (const name of outputsOf(target.command)) {
    const key = `${target.pod}/${name}`;
    const suffix = looked.has(key) ? '.2' : '';
    const options = { request, ...(signal && { signal }) };
    const text = await readRecorded(folder, `pod/${target.pod}/${name}${suffix}.txt`, options);
    if (!text.ok && text.error.kind !== 'not-found') return text;
    const exec = await readRecorded(folder, `pod/${target.pod}/${name}${suffix}.exec.json`, options);
    const frames = asObject(parseJson(orEmpty(exec)));
    if (!text.ok && frames === undefined) continue;
    const endedAt =
      (await timeOf(folder, times, `pod/${target.pod}/${name}${suffix}.txt`)) ?? new Date(0).toISOString();
    const ended =
      frames === undefined ? ok({ kind: 'exit' as const, code: 0 }) : readFrames(frames, request, target, folder);
    if (!ended.ok) return ended;
    // Only an output counts as the first look: a way that failed is asked again, as it would be in a cluster.
    if (ended.value.kind === 'exit') looked.set(key, 1);
    return {
      ok: true,
      serverDate: null,
      value: { stdout: orEmpty(text), stderr: '', end: ended.value, startedAt: endedAt, endedAt },
    };
  }
  const message = `the recording holds no ${outputsOf(target.command).join(', ')} of this pod`;
  return {
    ok: true,
    serverDate: null,
    value: { stdout: '', stderr: '', end: { kind: 'no-such-program', message }, startedAt: '', endedAt: '' },
  };
}

/**
 * A page behind the proxy: a pod's metrics (`pod/NAME/metrics.txt`), or kubelet's counters of probes, `probes-NODE.txt`,
 * where that is missing `probes.txt` for the first node that is asked for. The second time `.2.txt`.
 */
async function recordedText(
  folder: string,
  times: object,
  path: string,
  options: GetOptions,
  looked: Map<string, number>,
): Promise<KubeResult<TimedText>> {
  const { request } = options;
  const stem = await stemOf(folder, path, looked);
  if (stem === null) return failure('not-found', request, `the recording holds no answer for ${path}`);
  const file = `${stem}${looked.has(stem) ? '.2' : ''}.txt`;
  const read = await readRecorded(folder, file, options);
  if (!read.ok) return read;
  const text = read.value;
  looked.set(stem, 1);
  const receivedAt = (await timeOf(folder, times, file)) ?? new Date(0).toISOString();
  // A page that was refused was kept whole, as the answers of the API are.
  const kept = asObject(parseJson(text));
  if (typeof kept?.['status'] === 'number' && kept['request'] !== undefined) {
    const body = typeof kept['body'] === 'string' ? kept['body'] : (writeJson(kept['body']) ?? '');
    const refusal = { status: kept['status'], contentType: '', text: body };
    return { ok: false, error: answerError(request, path, refusal, folder).error };
  }
  return { ok: true, value: { text, receivedAt }, serverDate: null };
}

async function stemOf(folder: string, path: string, looked: Map<string, number>): Promise<string | null> {
  const pod = /\/pods\/(?:https:)?([^/:]+)(?::\d+)?\/proxy\//.exec(path)?.[1];
  if (pod !== undefined) return `pod/${decodeURIComponent(pod)}/metrics`;
  const encoded = /\/nodes\/([^/:]+)\/proxy\/metrics\/probes$/.exec(path)?.[1];
  if (encoded === undefined) return null;
  const node = decodeURIComponent(encoded);
  if ((await stateOf(folder, `probes-${node}.txt`)) !== null) return `probes-${node}`;
  const holder = [...looked.keys()].find((key) => key.startsWith('first-node '));
  if (holder === undefined) looked.set(`first-node ${node}`, 1);
  return holder === undefined || holder === `first-node ${node}` ? 'probes' : `probes-${node}`;
}

/** A failed exec: all frames of the WebSocket, or the answer to the upgrade. */
function readFrames(
  record: Readonly<Record<string, unknown>>,
  request: string,
  target: ExecTarget,
  folder: string,
): KubeOutcome<ExecOutput['end']> {
  const status = Number(/^HTTP\/\S+ (\d+)/.exec(asText(record['response_status_line']) ?? '')?.[1] ?? 101);
  if (status !== 101) {
    const answer = { status, contentType: '', text: asText(record['body']) ?? '' };
    return { ok: false, error: refusalError(request, answer, target, folder) };
  }
  const frame = asArray(record['frames'])
    .map(asObject)
    .find((entry) => entry?.['channel'] === 3);
  const payload = asText(frame?.['payload']);
  return ok(payload === undefined ? { kind: 'lost' } : execEnd(payload));
}

/** When a file's answer arrived: by times.json, else by the file itself. */
async function timeOf(folder: string, times: object, file: string): Promise<string | null> {
  const entry = asObject(asObject(times)?.[file]);
  const noted = isoTime(asText(entry?.['receivedAt']) ?? asText(entry?.['serverDate']) ?? '');
  if (noted !== null) return noted;
  const state = await stateOf(folder, file);
  return state === null ? null : isoTime(state.mtime);
}

/** Where a file of a recording lies. Names of pods and nodes are in it: null for one that leads out of the folder. */
function placeOf(folder: string, file: string): string | null {
  return /(^|\/)\.{0,2}(\/|$)|[\\\0]/.test(file) ? null : join(folder, file);
}

async function stateOf(folder: string, file: string): Promise<Stats | null> {
  const place = placeOf(folder, file);
  return place === null ? null : stat(place).catch(() => null);
}

/** The text of a file of a recording; the failure of the request where there is none, or where it is no plain file or too long. */
export async function readRecorded(folder: string, file: string, options: GetOptions): Promise<KubeOutcome<string>> {
  const { request, maxBytes: mostBytes = inputs.answer.mostBytes, signal } = options;
  const missing = failure('not-found', request, `the recording holds no ${file}`);
  const place = placeOf(folder, file);
  if (place === null) return missing;
  const text = await readInput(place, { ...inputs.answer, mostBytes }, signal);
  if (typeof text === 'string') return ok(text);
  if (signal?.aborted === true) return failure('aborted', request, 'given up before it was read');
  return reasonOf(text) === 'no such file' ? missing : failure('bad-answer', request, `${file}: ${reasonOf(text)}`);
}

function orEmpty(text: KubeOutcome<string>): string {
  return text.ok ? text.value : '';
}
