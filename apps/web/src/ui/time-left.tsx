import { useEffect, useRef, useState } from 'react'
import { formatClock } from './clock.ts'

/** Interval of repeated `onOver` calls: the local clock may be ahead of the server's. */
const REPEAT_MS = 5000

/** Time left as `hh:mm:ss`, updated every second. @param onOver called when it is over, and repeatedly until `to` changes */
export function TimeLeft({ to, onOver }: { to: string; onOver?: () => void }) {
  const [now, setNow] = useState<number>()
  const over = useRef(onOver)
  over.current = onOver
  useEffect(() => {
    const end = Date.parse(to)
    let lastCall = Number.NEGATIVE_INFINITY
    const tick = () => {
      const at = Date.now()
      setNow(at)
      if (at < end || at - lastCall < REPEAT_MS) return
      lastCall = at
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
