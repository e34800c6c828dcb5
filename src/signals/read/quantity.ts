import { isWithinBounds } from '../../evidence/bounds.ts';

/**
 * Kubernetes resource quantities: `12m`, `1234567n`, `1.5Gi`, `1e3`, `0`.
 * Grammar: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
const factors: ReadonlyMap<string, number> = new Map([
  ['n', 1e-9],
  ['u', 1e-6],
  ['m', 1e-3],
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
  ['Pi', 2 ** 50],
  ['Ei', 2 ** 60],
]);

/** The value in base units (cores, bytes), or null when the text is no quantity. */
export function readQuantity(text: unknown): number | null {
  if (typeof text === 'number') return isWithinBounds(text) ? text : null;
  if (typeof text !== 'string') return null;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/.exec(text.trim());
  if (match === null) return null;
  const [, digits = '', exponent, suffix = ''] = match;
  const value =
    exponent === undefined ? Number(digits) * (factors.get(suffix) ?? Number.NaN) : Number(`${digits}e${exponent}`);
  return isWithinBounds(value) ? value : null;
}

/** CPU in millicores, to a thousandth. */
export function readMillicores(text: unknown): number | null {
  const cores = readQuantity(text);
  const millicores = cores === null ? null : Math.round(cores * 1e6) / 1e3;
  return millicores !== null && isWithinBounds(millicores) ? millicores : null;
}

/** Memory in bytes. */
export function readBytes(text: unknown): number | null {
  const bytes = readQuantity(text);
  return bytes === null ? null : Math.round(bytes);
}
