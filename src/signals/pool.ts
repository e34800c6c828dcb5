/**
 * The pace of exec: it is not throttled by API Priority and Fairness, is an audit event each time, and runs in the
 * container's cgroup. At most 10 at once and 4 on a node, and 50 starts a second, kubectl's own client limit. Requests
 * for pages are 10 at once, too.
 */
export const pace = { atOnce: 10, perNode: 4, startsPerSecond: 50 } as const;

/**
 * Runs `work` for every item within the pace, in the given order where nodes allow it.
 * Stops starting when the signal aborts; what runs is awaited.
 */
export async function runPaced<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  options: {
    /** The node that has to bear the work; without it a node has no limit of its own. */
    readonly nodeOf?: (item: T) => string;
    /** Without it the next one starts as soon as there is room. */
    readonly startsPerSecond?: number;
    /** Earliest start, in milliseconds of `performance.now()`: what was started before counts, too. */
    readonly notBefore?: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const { nodeOf, startsPerSecond = Number.POSITIVE_INFINITY, notBefore, signal } = options;
  const waiting = [...items];
  const running = new Set<Promise<void>>();
  const onNode = new Map<string, number>();
  let nextStart = notBefore ?? 0;
  while (waiting.length > 0 && signal?.aborted !== true) {
    const index = waiting.findIndex((item) => nodeOf === undefined || (onNode.get(nodeOf(item)) ?? 0) < pace.perNode);
    if (running.size >= pace.atOnce || index < 0) {
      await Promise.race(running);
      continue;
    }
    const [item] = waiting.splice(index, 1) as [T];
    const node = nodeOf?.(item) ?? '';
    onNode.set(node, (onNode.get(node) ?? 0) + 1);
    const wait = nextStart - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    nextStart = performance.now() + 1000 / startsPerSecond;
    const task: Promise<void> = work(item).finally(() => {
      running.delete(task);
      onNode.set(node, (onNode.get(node) ?? 1) - 1);
    });
    running.add(task);
  }
  await Promise.all(running);
}
