import { useEffect, useRef, useState } from 'react'
import { formatClock } from './clock.ts'

/** Interval of repeated `onOver` calls: the local clock may be ahead of the server's. */
const REPEAT_MS = 5000

/** Time left as `hh:mm:ss`, updated every second. @param onOver called when it is over, and every five seconds until `to` is later */
export function TimeLeft({ to, onOver }: { to: string; onOver?: () => void }) {
  const [now, setNow] = useState<number>()
  const over = useRef(onOver)
  over.current = onOver
  // Kept when `to` changes: a server that answers with another past time each time would be asked without a pause.
  const lastCall = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const end = Date.parse(to)
    const tick = () => {
      const at = Date.now()
      setNow(at)
      if (at < end || at - lastCall.current < REPEAT_MS) return
      lastCall.current = at
      over.current?.()
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [to])
  return (
    <span className="font-mono tabular-nums" role="timer">
      {now === undefined ? '--:--:--' : formatClock(Date.parse(to) - now)}
    </span>
  )
}
