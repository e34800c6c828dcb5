/** What the rest of the program knows of the Kubernetes API: requests in, answers out, failures as values. */
import type { Err, Ok } from '../result/result.ts';

/** The connection flags of kubectl that select or override kubeconfig entries. Absent means: not given. */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly token?: string;
  readonly as?: string;
  readonly asGroups?: readonly string[];
  readonly asUid?: string;
  /** `key=value`, repeatable. */
  readonly asUserExtra?: readonly string[];
  /** kubectl's spelling: `0` none, a number of seconds, or a Go duration such as `1m30s`. */
  readonly requestTimeout?: string;
  readonly disableCompression?: boolean;
}

/** What `kube/` needs of the process, injected so that tests can stand in for it. */
export interface KubeHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly platform: string;
  /** May an exec credential plugin read the terminal? */
  readonly stdinIsTerminal: boolean;
  /** Is the screen drawn on by somebody else now? Then a credential plugin can neither ask nor write there. */
  screenIsTaken?(): boolean;
  readonly userAgent: string;
  /** Aborts when the program is to end. */
  readonly interrupted?: AbortSignal;
  /** Runs what computes for long: signals are heard before it, and end the program meanwhile. Null: it was interrupted. */
  computeLong<T>(work: () => T): Promise<T | null>;
  /** One line for people: warnings such as a missing kubeconfig file, and what `-v` shows. Never holds a credential. */
  log(level: number, line: string): void;
}

export type KubeErrorKind =
  | 'config' // kubeconfig missing, unreadable, or naming what does not exist
  | 'credential' // the credential could not be had, or was refused (401)
  | 'unreachable' // no TCP connection, name not found
  | 'tls' // certificate not trusted, wrong host name, not TLS at all
  | 'timeout' // no answer in time
  | 'closed' // the connection ended in the middle of an answer
  | 'forbidden' // 403 by RBAC
  | 'refused' // 403 by an admission webhook or policy: a Role would not help
  | 'not-found' // 404: the object, the namespace or the whole API group
  | 'gone' // 410: a list's continue token expired, after the one restart
  | 'throttled' // 429, after Retry-After was honoured as far as the time allowed
  | 'server' // 5xx, and the rare 4xx that no other kind names (400: no such container)
  | 'bad-answer' // not JSON, not a Kubernetes object, a proxy's HTML page
  | 'upgrade' // the WebSocket upgrade did not pass (a proxy in between, an old server)
  | 'aborted'; // our own signal

/** What a refusal of the API server says, read once. Of a webhook no verb and resource are known. */
export interface Denied {
  readonly verb: string | null;
  /** With its API group and subresource, as `rbac` writes it: `deployments.apps`, `pods/exec`; or a path. */
  readonly resource: string | null;
  readonly name: string | null;
  /** Null: in all namespaces, or not said. */
  readonly namespace: string | null;
  /** The admission webhook that refused: no Role would help. */
  readonly webhook?: string;
}

/** A request that did not give what it was for. A value, never thrown across the borders of `kube/`. */
export interface KubeError {
  readonly kind: KubeErrorKind;
  /** What was being done, in words: `list pods in namespace shop`. */
  readonly request: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** The server's or the system's own words, unsanitised: renderers sanitise. Never holds a credential. */
  readonly message: string;
  /** What to do about it, where that is known: one sentence. */
  readonly hint?: string;
  /** Of a `forbidden` what is missing; of a `refused` the webhook, where it was one. */
  readonly denied?: Denied;
}

/** `serverDate`: the answer's `Date` header as RFC 3339 UTC; null where there was none, as for most execs. */
export type KubeResult<T> = (Ok<T> & { readonly serverDate: string | null }) | Err<KubeError>;

export interface GetOptions {
  /** Words for error messages: `get service shop/echo`. */
  readonly request: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Reads what stands behind a proxy path where it answers with an error; of its words none may be kept but those of a list. */
  readonly readError?: (status: number, text: string) => KubeError;
  /** Milliseconds for each HTTP request; default `--request-timeout`, else 10 000. The shorter one holds if both are given. */
  readonly timeoutMs?: number;
  /** Bytes of the answer, unpacked; default by `limits.ts`. More is an error of kind `bad-answer`. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface ListOptions extends GetOptions {
  /** Objects a page; default 500 as in kubectl. */
  readonly chunkSize?: number;
}

/** A list over all its pages. `items` are the parsed objects as the server sent them: readers copy what they need. */
export interface KubeList {
  readonly items: readonly unknown[];
  readonly pages: number;
}

/** A text, and when its last byte was here: RFC 3339 UTC with milliseconds, this machine's clock, for rates. */
export interface TimedText {
  readonly text: string;
  readonly receivedAt: string;
}

export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** An argument vector; there is no shell. */
  readonly command: readonly string[];
}

export interface ExecOptions {
  /** Milliseconds for the whole exec; default `--request-timeout`, else 10 000. */
  readonly timeoutMs?: number;
  /** Bytes of stdout; default by `limits.ts`. More is an error of kind `bad-answer`. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** What a command in a container gave. */
export interface ExecOutput {
  readonly stdout: string;
  readonly stderr: string;
  /**
   * How it ended: `exit` with its code; `no-such-program` when the image lacks the binary;
   * `lost` when the WebSocket closed without a status (stdout may be cut short).
   */
  readonly end:
    | { readonly kind: 'exit'; readonly code: number }
    | { readonly kind: 'no-such-program'; readonly message: string }
    | { readonly kind: 'failed'; readonly message: string }
    | { readonly kind: 'lost' };
  /** RFC 3339 UTC with milliseconds, this machine's clock: when stdout's first byte (without one: the WebSocket) and the end arrived. */
  readonly startedAt: string;
  readonly endedAt: string;
}

/** One connection pool to one API server, as one user. */
export interface KubeClient {
  /** Names from the kubeconfig; the in-cluster config calls its context `in-cluster`. */
  readonly context: string;
  readonly namespace: string;
  readonly server: string;
  /**
   * Gets the credential now, so that a plugin can ask its questions before a screen is taken. Without a plugin there is
   * nothing to ask and nothing is sent. A plugin that is given up still runs until `close`.
   */
  signIn(signal: AbortSignal): Promise<KubeResult<null>>;
  /** GET of one JSON object. */
  getJson(path: string, options: GetOptions): Promise<KubeResult<unknown>>;
  /** GET of text, such as a metrics page through a proxy path. */
  getText(path: string, options: GetOptions): Promise<KubeResult<TimedText>>;
  /** GET of a list, in pages; a 410 in the middle restarts the list once. */
  list(path: string, options: ListOptions): Promise<KubeResult<KubeList>>;
  /**
   * GET of a list, one page after the other, so that no more than a page is held at once. A failure ends it, a 410 in
   * the middle too: only the reader knows what to forget before it starts again.
   */
  pages(path: string, options: ListOptions): AsyncIterable<KubeResult<readonly unknown[]>>;
  exec(target: ExecTarget, options?: ExecOptions): Promise<KubeResult<ExecOutput>>;
  /** Requests sent so far, by kind, for `-v` and for the tests that hold the budget. */
  readonly counts: { readonly requests: number; readonly execs: number };
  /** Ends all connections and a credential plugin that still runs; requests under way fail with kind `aborted`. */
  close(): Promise<void>;
}
