import { type Action, reduce } from './reduce.ts';
import type { WatchState } from './state.ts';

/** Holds the state and tells who listens when it changes. */
export interface Store {
  get(): WatchState;
  dispatch(action: Action): void;
  subscribe(listener: () => void): () => void;
}

export function openStore(initial: WatchState): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
