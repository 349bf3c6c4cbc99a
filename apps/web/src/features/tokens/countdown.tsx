import { useEffect, useRef, useState } from 'react'
import { clockOf } from './claim-state.ts'

/** Interval of repeated `onPassed` calls: the local clock may be ahead of the server's. */
const REPEAT_MS = 5000

/** Time left as `hh:mm:ss`, updated every second. @param onPassed called when it is over, and repeatedly until `to` changes */
export function Countdown({ to, onPassed }: { to: string; onPassed?: () => void }) {
  const [now, setNow] = useState<number>()
  const passed = useRef(onPassed)
  passed.current = onPassed
  useEffect(() => {
    const end = Date.parse(to)
    let lastCall = Number.NEGATIVE_INFINITY
    const tick = () => {
      const at = Date.now()
      setNow(at)
      if (at < end || at - lastCall < REPEAT_MS) return
      lastCall = at
      passed.current?.()
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [to])
  return (
    <span className="font-mono tabular-nums" role="timer">
      {now === undefined ? '--:--:--' : clockOf(Date.parse(to) - now)}
    </span>
  )
}
