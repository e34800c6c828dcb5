/**
 * The labels that may enter Evidence: those that name an app, a release, a team or a revision.
 * Any other label may hold anything, so it stays behind.
 */
const nameKeys: ReadonlySet<string> = new Set([
  'app',
  'k8s-app',
  'team',
  'owner',
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/part-of',
  'app.kubernetes.io/component',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
  'pod-template-hash',
  'controller-revision-hash',
]);

/** Keeps the labels of the allow-list and those whose keys the selector names. */
export function nameLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).filter(([key]) => nameKeys.has(key) || Object.hasOwn(selector, key)),
  );
}

/** A selector as the API takes it: `app=echo,tier=web`. */
export function selectorText(selector: Readonly<Record<string, string>>): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** Does the selector name these labels? One without keys selects nothing. */
export function selects(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}
