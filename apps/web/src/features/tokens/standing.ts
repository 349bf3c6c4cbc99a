import type { Output, RouteOf } from '@tidenet/contract'

export type Distributed = Output<RouteOf<'faucet.distributed'>>

/** Whether the caller may claim now; who has claimed waits for the next day, whatever is left of the hour. */
export type Standing = 'open' | 'claimed' | 'exhausted'

export function standingOf(figures: Pick<Distributed, 'received' | 'remaining_amount' | 'claim_amount'>): Standing {
  if (figures.received) return 'claimed'
  return figures.remaining_amount < figures.claim_amount ? 'exhausted' : 'open'
}

/** How many claims are left of the hour. */
export const peopleLeft = ({
  remaining_amount,
  claim_amount,
}: Pick<Distributed, 'remaining_amount' | 'claim_amount'>) => Math.floor(remaining_amount / claim_amount)

/** `+08:00` in minutes east of UTC. */
export function zoneMinutes(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** As people write it: `UTC+8`, `UTC-3:30`, `UTC`. @param minutes east of UTC */
export function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  const part = size % 60
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${part === 0 ? '' : `:${String(part).padStart(2, '0')}`}`
}

/** Hours, minutes and seconds of a span: `05:12:44`; never below nothing. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((value) => String(Math.floor(value)).padStart(2, '0'))
    .join(':')
}
