import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'

/**
 * Takes a part of a store, and keeps the one from before as long as an equal one follows. Stands in for the module of that name
 * which the router brings: that one is made for older versions of React as well, and for three times the letters.
 */
export function useSyncExternalStoreWithSelector<Whole, Part>(
  subscribe: (changed: () => void) => () => void,
  read: () => Whole,
  _readDrawn: unknown,
  select: (whole: Whole) => Part,
  equal?: (before: Part, after: Part) => boolean,
): Part {
  const shown = useRef<{ part: Part }>(undefined)
  const part = useMemo(() => {
    let last: { whole: Whole; part: Part } | undefined
    return () => {
      const whole = read()
      if (last && Object.is(last.whole, whole)) return last.part
      const before = last ?? shown.current
      const part = select(whole)
      last = { whole, part: before && equal?.(before.part, part) ? before.part : part }
      return last.part
    }
  }, [read, select, equal])
  const current = useSyncExternalStore(subscribe, part, part)
  useEffect(() => {
    shown.current = { part: current }
  }, [current])
  return current
}
