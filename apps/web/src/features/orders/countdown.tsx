import { useEffect, useState } from 'react'

/** Time left as `hh:mm:ss`, updated every second; days are counted as hours. */
export function Countdown({ to, onOver }: { to: string; onOver?: () => void }) {
  const [now, setNow] = useState<number>()
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const left = now === undefined ? undefined : Math.max(0, Math.round((Date.parse(to) - now) / 1000))
  const over = left === 0
  useEffect(() => {
    if (over) onOver?.()
  }, [over, onOver])
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return (
    <span className="font-mono tabular-nums" role="timer">
      {left === undefined ? '--:--:--' : `${two(left / 3600)}:${two((left / 60) % 60)}:${two(left % 60)}`}
    </span>
  )
}
