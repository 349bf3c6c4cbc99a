import { useCallback, useEffect, useState } from 'react'

/** Whole seconds that are left of a time that the server has told, and what begins one; 0 ends it. */
export function useCountdown(): [left: number, begin: (seconds: number) => void] {
  // By the clock: a tab that nobody looks at counts too.
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  useEffect(() => {
    if (left === 0) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [left])
  const begin = useCallback((seconds: number) => {
    setNow(Date.now())
    setUntil(Date.now() + seconds * 1000)
  }, [])
  return [left, begin]
}
