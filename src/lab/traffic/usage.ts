/** CPU and memory of a pod as metrics-server last saw them. */
export interface Usage {
  readonly at: number;
  readonly windowSeconds: number;
  readonly cpuNanocores: number;
  readonly memoryKibibytes: number;
}

export interface MeteredProcess {
  readonly name: string;
  readonly role: 'server' | 'client';
  calls(): number;
}

export interface UsageMeter {
  usageOf(podName: string): Usage | undefined;
  close(): void;
}

// Cores, in thousandths: what a recorded process uses by being there, and for each call a second.
const idleMillicores = { server: 1, client: 2 };
const millicoresPerCallPerSecond = { server: 4, client: 2.2 };
const idleKibibytes = { server: 13_800, client: 14_900 };
const kibibytesPerRootOfRate = 750; // the heap grows with the calls, ever more slowly
const resolutionMs = 15_000;
const lagMs = 12_000;

/**
 * Counts calls every 15 s, as metrics-server's resolution is, and turns the counts into CPU time. `history` seconds
 * of traffic were made up for by the calls counted so far, each of which stands for `weight` calls.
 */
export function startUsageMeter(
  measured: () => readonly MeteredProcess[],
  history: { readonly seconds: number; readonly weight: number },
): UsageMeter {
  const usages = new Map<string, Usage>();
  const pods = measured();
  let counts = new Map(pods.map((pod) => [pod.name, pod.calls()]));
  let countedAt = Date.now();
  for (const [index, pod] of pods.entries()) {
    const rate = ((counts.get(pod.name) ?? 0) * history.weight) / history.seconds;
    usages.set(pod.name, usage(pod, index, rate, countedAt - lagMs, resolutionMs / 1000));
  }
  const timer = setInterval(() => {
    const now = Date.now();
    const seconds = (now - countedAt) / 1000;
    const before = counts;
    const present = measured();
    counts = new Map(present.map((pod) => [pod.name, pod.calls()]));
    for (const [index, pod] of present.entries()) {
      const rate = ((counts.get(pod.name) ?? 0) - (before.get(pod.name) ?? 0)) / seconds;
      usages.set(pod.name, usage(pod, index, rate, now, seconds));
    }
    countedAt = now;
  }, resolutionMs);
  return { usageOf: (name) => usages.get(name), close: () => clearInterval(timer) };
}

function usage(pod: MeteredProcess, index: number, callsPerSecond: number, at: number, windowSeconds: number): Usage {
  const unlike = ((index * 37) % 10) / 10; // no two processes idle alike
  const millicores = idleMillicores[pod.role] + unlike + millicoresPerCallPerSecond[pod.role] * callsPerSecond;
  return {
    at,
    windowSeconds,
    cpuNanocores: Math.round(millicores * 1e6),
    memoryKibibytes: Math.round(
      idleKibibytes[pod.role] + 800 * unlike + kibibytesPerRootOfRate * Math.sqrt(callsPerSecond),
    ),
  };
}
