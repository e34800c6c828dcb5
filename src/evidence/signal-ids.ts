/** The signals, in the order of the diagnosis flow. */
export const signalIds = [
  'service',
  'endpoints',
  'usage',
  'connections',
  'calls',
  'probes',
  'probe-metrics',
  'clients',
  'path',
  'proxies',
  'autoscaling',
  'siblings',
  'prometheus',
] as const;
export type SignalId = (typeof signalIds)[number];

/** Signals that are asked only where somebody says so: what they need is as powerful as exec. */
export const onlyByName: readonly SignalId[] = ['probe-metrics', 'proxies'];
