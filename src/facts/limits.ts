import { idlePart } from '../figures/shares.ts';

/** Pods created within this time of one another are of one age: a rollout or a scaling takes a few seconds. */
export const bornTogetherMs = 10_000;

/** A pod younger than this, next to ones that are twice as old, is marked new. */
export const newSeconds = 600;

/**
 * The limits of the verdict, in one table; every report names them. Where no source is given they are this program's own
 * definition of a state: chosen, not measured, so that whoever would draw the line elsewhere can see where it is.
 */
export const limits = {
  /** Skewed from this ratio of the largest share to its expected share on … */
  skewedPeakToMean: 1.5,
  /** … if fewer than this part of the pods do the work (or a pod is idle, or near its CPU limit). */
  skewedEffectivePart: 0.8,
  /** Balanced below this ratio. */
  balancedPeakToMean: 1.25,
  /** Idle: under this part of the expected share. */
  idlePart,
  /** A pod at this part of its CPU limit, while the mean is below `lowCpuPart`, makes a skew count. */
  hotCpuPart: 0.8,
  lowCpuPart: 0.5,
  /** Skewed whatever the rest does: one pod has this many times its part. */
  hotPeakToMean: 3,
  /** A pod counts as idle in the state when it surely has less than this part of what it should have. */
  idleSurely: 0.25,
  /** A verdict is certain when the whole interval of its figures at this level lies in its state … */
  certainLevel: 0.999,
  /** … and likely at this one; else it is open. */
  likelyLevel: 0.95,
  /** Fewer events in all are an anecdote, wherever they fell: nothing is certain by them. */
  certainEvents: 20,
  /** Not even: even traffic lies so far from it in fewer than this part of all windows. */
  evenLevel: 0.01,
  /** Where the interval spans the limit of a skew: surely not even, so that the figures themselves say on which side. */
  clearLevel: 1e-4,
  /** What was is over when the window would look so in fewer than this part of looks, were it still so. */
  refutedLevel: 1e-6,
  /** CPU differences below this are the cost of looking (an exec costs 1–5 millicores for a while). */
  cpuNoiseMillicores: 5,
  /** Idle pods of one build differ by this much CPU (0.9 to 2.1 millicores in the recordings, without an exec). */
  cpuIdleMillicores: 2,
  /** … and use less than this part of the mean: half of it is work. */
  idleCpuPart: 0.5,
  /** A pod that nobody calls uses less than a quarter of a core: with more it is busy. */
  busyMillicores: 250,
  /** What probes and scrapes make a pod receive is below this: less on all pods tells nothing about their load. */
  backgroundBytesPerSecond: 1000,
  /** CPU periods in which a pod was throttled, of all: from here on it hurts. As the alert CPUThrottlingHigh of kubernetes-mixin. */
  throttledPart: 0.25,
  /** Probability below which chance, or independence of age, is not believed. */
  chanceLevel: 0.05,
  /** Pods that are Ready for less than this have had no time to get connections. */
  tooSoonSeconds: 60,
} as const;
