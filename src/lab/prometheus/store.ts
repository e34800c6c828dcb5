/** Labels of a series, `__name__` among them. */
export type Labels = Readonly<Record<string, string>>;

export interface StoredSeries {
  readonly labels: Labels;
  /** In order of time: milliseconds since the epoch, and the value. */
  readonly samples: (readonly [at: number, value: number])[];
}

/** All samples of the lab's Prometheus, for as long as the lab runs. */
export interface SeriesStore {
  add(labels: Labels, at: number, value: number): void;
  readonly series: readonly StoredSeries[];
}

export function openSeriesStore(): SeriesStore {
  const series: StoredSeries[] = [];
  const byKey = new Map<string, StoredSeries>();
  return {
    series,
    add(labels, at, value) {
      const key = JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
      let found = byKey.get(key);
      if (found === undefined) {
        found = { labels, samples: [] };
        byKey.set(key, found);
        series.push(found);
      }
      found.samples.push([at, value]);
    },
  };
}
