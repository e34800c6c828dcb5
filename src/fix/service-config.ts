/** What a client's service config is to say (gRFC A2, A6, A17). */
export interface ClientWish {
  /** As the library takes it: `dns:///…`, `xds:///…`, or a plain name and port. */
  readonly target: string;
  readonly roundRobin: boolean;
  readonly health: boolean;
  readonly ageSeconds: number;
}

/** Four attempts, the first again after about a tenth of a second: UNAVAILABLE is what a call meets that comes too late. */
const retryPolicy = {
  maxAttempts: 4,
  initialBackoff: '0.1s',
  maxBackoff: '1s',
  backoffMultiplier: 2,
  retryableStatusCodes: ['UNAVAILABLE'],
} as const;

/** The service config as an object, for the languages that take JSON. `name: [{}]` stands for every method. */
export function serviceConfig(wish: ClientWish): Record<string, unknown> {
  return {
    ...(wish.roundRobin && { loadBalancingConfig: [{ round_robin: {} }] }),
    ...(wish.health && { healthCheckConfig: { serviceName: '' } }),
    methodConfig: [{ name: [{}], retryPolicy }],
  };
}

/** JSON as people write it: short lists on one line. */
export function writtenJson(value: unknown, indent = ''): string {
  const one = (part: unknown): string => {
    if (Array.isArray(part)) return `[${part.map(one).join(', ')}]`;
    if (part !== null && typeof part === 'object') {
      const entries = Object.entries(part).map(([key, inner]) => `${JSON.stringify(key)}: ${one(inner)}`);
      return `{${entries.join(', ')}}`;
    }
    return JSON.stringify(part);
  };
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return one(value);
  const lines = Object.entries(value).map(([key, inner]) => `${indent}  ${JSON.stringify(key)}: ${one(inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
