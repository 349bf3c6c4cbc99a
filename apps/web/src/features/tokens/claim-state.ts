import type { Output, RouteOf } from '@tidenet/contract'

export type Distributed = Output<RouteOf<'faucet.distributed'>>

/** Whether the caller can claim now. After a claim the state is `claimed` until the next day. */
export type ClaimState = 'open' | 'claimed' | 'exhausted'

export function claimStateOf(figures: Pick<Distributed, 'received' | 'remaining_amount' | 'claim_amount'>): ClaimState {
  if (figures.received) return 'claimed'
  return figures.remaining_amount < figures.claim_amount ? 'exhausted' : 'open'
}

/** Claims left this hour. */
export const claimsLeft = ({
  remaining_amount,
  claim_amount,
}: Pick<Distributed, 'remaining_amount' | 'claim_amount'>) => Math.floor(remaining_amount / claim_amount)

/** Parses `+08:00` to minutes east of UTC. */
export function zoneMinutes(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** `UTC+8`, `UTC-3:30`, `UTC`. @param minutes east of UTC */
export function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  const part = size % 60
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${part === 0 ? '' : `:${String(part).padStart(2, '0')}`}`
}
