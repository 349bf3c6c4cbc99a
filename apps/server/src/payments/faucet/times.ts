const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The hour and the day of a time, in a zone `zone` minutes ahead of UTC. */
export interface Period {
  hour: Date
  nextHour: Date
  /** `2026-11-21` */
  day: string
  nextDay: Date
}

export function periodOf(at: number, zone: number): Period {
  const local = at + zone * MINUTE
  const begin = (length: number) => Math.floor(local / length) * length
  const utc = (ms: number) => new Date(ms - zone * MINUTE)
  return {
    hour: utc(begin(HOUR)),
    nextHour: utc(begin(HOUR) + HOUR),
    day: new Date(begin(DAY)).toISOString().slice(0, 10),
    nextDay: utc(begin(DAY) + DAY),
  }
}

/** `+08:00` */
export function zoneText(zone: number): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const size = Math.abs(zone)
  return `${zone < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
