import { create, type StoreApi, type UseBoundStore } from 'zustand'

export interface PersistedStore<T> extends UseBoundStore<StoreApi<T>> {
  /** Loads what another tab stored. */
  reread: () => void
}

/**
 * A store persisted in local storage as `{ state, version: 1 }`. If storage is unavailable, it lives as long as the page.
 * @param parse turns the stored value, which anyone may have edited, into a valid state
 */
export function createPersistedStore<T extends object>(
  key: string,
  initial: T,
  parse: (stored: Partial<T>) => T = (stored) => ({ ...initial, ...stored }),
): PersistedStore<T> {
  const read = (): T => {
    try {
      return parse(JSON.parse(localStorage.getItem(key) ?? 'null')?.state ?? {})
    } catch {
      return initial
    }
  }
  const store = create<T>()(read)
  const set = store.setState
  const setState = (next: Parameters<typeof set>[0]) => {
    set(next)
    try {
      localStorage.setItem(key, JSON.stringify({ state: store.getState(), version: 1 }))
    } catch {
      // Not persisted: the next page starts from `initial`.
    }
  }
  return Object.assign(store, { setState, reread: () => set(read()) })
}
