import { useEffect, useRef, useState } from 'react'
import { clockOf } from './standing.ts'

/** Ms after which somebody is told again that the moment has passed: the clock here may be ahead of the one that counts. */
const AGAIN_MS = 5000

/** The time until a moment, each second anew: `05:12:44`. @param onPassed told when it is over, and again until `to` moves on */
export function Countdown({ to, onPassed }: { to: string; onPassed?: () => void }) {
  const [now, setNow] = useState<number>()
  const passed = useRef(onPassed)
  passed.current = onPassed
  useEffect(() => {
    const end = Date.parse(to)
    let told = Number.NEGATIVE_INFINITY
    const tick = () => {
      const at = Date.now()
      setNow(at)
      if (at < end || at - told < AGAIN_MS) return
      told = at
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
