/** The signals, in the order of the diagnosis flow. */
export const signalIds = [
  'service',
  'endpoints',
  'usage',
  'connections',
  'calls',
  'probes',
  'clients',
  'autoscaling',
  'path',
  'siblings',
] as const;
export type SignalId = (typeof signalIds)[number];
