/** Which metrics of a family count what, and how they name a method. */
export interface Family {
  readonly id: string;
  readonly started?: string;
  readonly handled: string;
  /** Counters of messages received and sent. */
  readonly messages?: readonly string[];
  /** Only samples whose labels fit are of the server side. */
  readonly where?: (labels: ReadonlyMap<string, string>) => boolean;
  /** The same as matchers of PromQL, and those that leave out what is no load. */
  readonly promql?: string;
  /** Of the server side, and no load all the same: probes. */
  readonly notLoad?: (labels: ReadonlyMap<string, string>) => boolean;
  /** The port of the pod that was called, where the labels say it. */
  readonly port?: (labels: ReadonlyMap<string, string>) => string | undefined;
  readonly method: (labels: ReadonlyMap<string, string>) => readonly [service: string, method: string];
  readonly streaming?: (labels: ReadonlyMap<string, string>) => boolean | null;
}
