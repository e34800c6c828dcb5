/** What is to happen, by time; what was planned first comes first at the same time. */

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: (at: number) => void;
}

interface Agenda {
  add(at: number, run: (at: number) => void): void;
  /** Runs all up to that time, what is added on the way included. */
  runUntil(at: number): void;
}

export function openAgenda(): Agenda {
  const heap: Entry[] = [];
  let order = 0;
  const before = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);
  const entry = (at: number): Entry => heap[at] as Entry;
  const swap = (a: number, b: number) => {
    const kept = entry(a);
    heap[a] = entry(b);
    heap[b] = kept;
  };
  const take = (): Entry => {
    const first = entry(0);
    const last = heap.pop() as Entry;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && before(entry(child), entry(least))) least = child;
      }
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  };
  return {
    add(at, run) {
      if (!Number.isFinite(at)) return;
      heap.push({ at, order: order++, run });
      for (let place = heap.length - 1; place > 0; ) {
        const parent = (place - 1) >> 1;
        if (!before(entry(place), entry(parent))) return;
        swap(place, parent);
        place = parent;
      }
    },
    runUntil(at) {
      while (heap.length > 0 && entry(0).at <= at) {
        const next = take();
        next.run(next.at);
      }
    },
  };
}
