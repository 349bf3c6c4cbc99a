import { useCallback, useEffect, useState } from 'react'

/** A countdown in whole seconds, and a function that starts it; starting with 0 stops it. */
export function useCountdown(): [left: number, start: (seconds: number) => void] {
  // Computed from the clock, because browsers throttle timers of hidden tabs.
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  useEffect(() => {
    if (left === 0) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [left])
  const start = useCallback((seconds: number) => {
    setNow(Date.now())
    setUntil(Date.now() + seconds * 1000)
  }, [])
  return [left, start]
}
