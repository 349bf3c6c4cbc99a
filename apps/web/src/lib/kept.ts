import { create, type StoreApi, type UseBoundStore } from 'zustand'

export interface Kept<T> extends UseBoundStore<StoreApi<T>> {
  /** Takes over what another tab has kept. */
  reread: () => void
}

/**
 * A store that outlives the page: local storage keeps it as `{ state, version: 1 }`. Without storage it lasts as long as the page.
 * @param take makes a state of what was kept, which anyone may have changed
 */
export function createKept<T extends object>(
  key: string,
  initial: T,
  take: (kept: Partial<T>) => T = (kept) => ({ ...initial, ...kept }),
): Kept<T> {
  const read = (): T => {
    try {
      return take(JSON.parse(localStorage.getItem(key) ?? 'null')?.state ?? {})
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
      // The next page begins anew.
    }
  }
  return Object.assign(store, { setState, reread: () => set(read()) })
}
