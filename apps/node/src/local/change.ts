import { z } from 'zod'
import { forgetLeaving } from '../leaving/leaving.ts'
import { type Limits, RATE_MIN, readLimits, writeLimits } from '../limits/limits.ts'

const GIB = 2 ** 30
const GB = 1e9
const MBIT = 1e6 / 8

const amount = z.number().positive().max(1e9).nullable()
const hour = z.number().int().min(0).max(24)

/** What the page can change; null removes a limit. */
export const changeShape = z.union([
  z.strictObject({
    what: z.literal('limits'),
    spaceGiB: amount,
    monthlyGB: amount,
    rates: z.array(z.strictObject({ from: hour, to: hour, mbits: z.number().positive().max(1e6) })).max(24),
    updates: z.boolean(),
  }),
  z.strictObject({ what: z.literal('pause'), on: z.boolean() }),
  z.strictObject({ what: z.literal('leave'), on: z.boolean() }),
])
export type Change = z.infer<typeof changeShape>

/** @returns what is wrong with it; undefined if it holds now */
export async function applyChange(data: string, change: Change): Promise<'rate' | 'hours' | undefined> {
  const limits = await readLimits(data)
  const write = (changed: Partial<Limits>) => writeLimits(data, { ...limits, ...changed })
  if (change.what === 'pause') await write({ paused: change.on })
  else if (change.what === 'leave') {
    if (change.on !== (limits.leaving === true)) await forgetLeaving(data)
    // A paused node does not talk to the portal.
    await write(change.on ? { leaving: true, paused: false } : { leaving: undefined })
  } else {
    const rates = change.rates.map(({ from, to, mbits }) => ({ from, to, bytesPerSecond: Math.floor(mbits * MBIT) }))
    if (rates.some(({ bytesPerSecond }) => bytesPerSecond < RATE_MIN)) return 'rate'
    if (rates.some(({ from, to }) => from === to)) return 'hours'
    await write({
      space: change.spaceGiB === null ? undefined : Math.floor(change.spaceGiB * GIB),
      monthly: change.monthlyGB === null ? undefined : Math.floor(change.monthlyGB * GB),
      rates,
      updates: change.updates ? undefined : false,
    })
  }
  return undefined
}
