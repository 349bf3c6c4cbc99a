import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'

/**
 * Selects a part of a store; returns the previous selection while it is equal to the new one. Replaces the module of the same name
 * that the router imports, which also supports older versions of React and is three times as large.
 */
export function useSyncExternalStoreWithSelector<Whole, Part>(
  subscribe: (changed: () => void) => () => void,
  read: () => Whole,
  _readOnServer: unknown,
  select: (whole: Whole) => Part,
  equal?: (before: Part, after: Part) => boolean,
): Part {
  const rendered = useRef<{ part: Part }>(undefined)
  const part = useMemo(() => {
    let last: { whole: Whole; part: Part } | undefined
    return () => {
      const whole = read()
      if (last && Object.is(last.whole, whole)) return last.part
      const before = last ?? rendered.current
      const part = select(whole)
      last = { whole, part: before && equal?.(before.part, part) ? before.part : part }
      return last.part
    }
  }, [read, select, equal])
  const current = useSyncExternalStore(subscribe, part, part)
  useEffect(() => {
    rendered.current = { part: current }
  }, [current])
  return current
}
