import { type Action, reduce } from './reduce.ts';
import type { WatchState } from './state.ts';

/** Holds a state and tells who listens when it changes. */
export interface Store<State = WatchState, Change = Action> {
  get(): State;
  dispatch(action: Change): void;
  subscribe(listener: () => void): () => void;
}

export function openStore(initial: WatchState): Store {
  return storeOf(initial, reduce);
}

export function storeOf<State, Change>(
  initial: State,
  next: (state: State, action: Change) => State,
): Store<State, Change> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      const changed = next(state, action);
      if (changed === state) return;
      state = changed;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
