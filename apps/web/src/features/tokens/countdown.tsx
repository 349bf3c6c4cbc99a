import { useEffect, useState } from 'react'

/** Hours, minutes and seconds until a moment, each second anew: `05:12:44`. */
export function Countdown({ to }: { to: () => number }) {
  const [now, setNow] = useState<number>()
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const left = now === undefined ? undefined : Math.max(0, Math.round((to() - now) / 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return (
    <span className="font-mono tabular-nums" role="timer">
      {left === undefined ? '--:--:--' : `${two(left / 3600)}:${two((left / 60) % 60)}:${two(left % 60)}`}
    </span>
  )
}

const HOUR = 3_600_000

/** The next full hour, when more test coin is released. */
export const nextHour = (): number => Math.ceil((Date.now() + 1) / HOUR) * HOUR
