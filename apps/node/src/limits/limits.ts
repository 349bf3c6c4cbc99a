import { chown, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { byteCount, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'

/** What the owner of a node allows it. In `limits.json` in the data folder, so that it holds across restarts. */
export interface Limits {
  /** Most bytes of content, below the capacity of the start; undefined: the capacity. */
  space?: number | undefined
  /** Bytes per second that all downloads together send in some hours of the day, local time. `from` 22, `to` 6: over midnight. */
  rates: { from: number; to: number; bytesPerSecond: number }[]
  /** Bytes sent in a calendar month, local time. */
  monthly?: number | undefined
  /** Whether the node is away until its owner continues it. */
  paused: boolean
  /** Whether the node may update its program; undefined: yes. */
  updates?: boolean | undefined
  /** Whether the owner wants to switch the node off: its copies move to other nodes first. */
  leaving?: boolean | undefined
}

export const NO_LIMITS: Limits = { rates: [], paused: false }

/** Slower, an audit or a block would not arrive in time, and the node would count as faulty. */
export const RATE_MIN = 64 * 1024
const hour = z.number().int().min(0).max(24)
const shape = z.strictObject({
  space: z.number().int().min(0).optional(),
  rates: z.array(z.strictObject({ from: hour, to: hour, bytesPerSecond: z.number().int().min(RATE_MIN) })).max(24),
  monthly: z.number().int().min(0).optional(),
  paused: z.boolean(),
  updates: z.boolean().optional(),
  leaving: z.boolean().optional(),
})

const pathOf = (data: string) => join(data, 'limits.json')

/**
 * The limits of a data folder.
 * @throws StartError if the file is damaged: a node without its limits could cost its owner money
 */
export async function readLimits(data: string): Promise<Limits> {
  const text = await readFile(pathOf(data), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return NO_LIMITS
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    throw new StartError(
      `${pathOf(data)} is damaged. Correct it, or set the limits again. 文件已损坏，请重新设置限制。`,
    )
  }
}

export async function writeLimits(data: string, limits: Limits): Promise<void> {
  await writeDurably(pathOf(data), `${JSON.stringify(limits, undefined, 1)}\n`, 0o600)
  // A service of the system runs as the owner of the folder, and must read what root wrote.
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(data)
  await chown(pathOf(data), uid, gid)
}

/** @returns the lowest rate of those that hold in this hour (0 to 23); undefined if none does */
export function rateAt({ rates }: Limits, now: number): number | undefined {
  const holds = rates.filter(({ from, to }) => (from < to ? now >= from && now < to : now >= from || now < to))
  return holds.length === 0 ? undefined : Math.min(...holds.map(({ bytesPerSecond }) => bytesPerSecond))
}

/**
 * Reads `20Mbit/s` or `8-22=20Mbit/s`.
 * @throws StartError
 */
export function parseRate(text: string): Limits['rates'][number] {
  const [, from = '0', to = '24', amount = '', unit = ''] =
    /^(?:(\d{1,2})-(\d{1,2})=)?(\d+(?:\.\d+)?)\s*([kMG])bit\/s$/.exec(text) ?? []
  const bytesPerSecond = Math.floor((Number(amount) * { k: 1e3, M: 1e6, G: 1e9, '': 0 }[unit]!) / 8)
  const rate = { from: Number(from), to: Number(to), bytesPerSecond }
  if (amount === '' || rate.from > 24 || rate.to > 24)
    throw new StartError(
      `${text}: write a rate such as 20Mbit/s, or 8-22=20Mbit/s for some hours. 请写作 20Mbit/s 或 8-22=20Mbit/s。`,
    )
  if (bytesPerSecond < RATE_MIN)
    throw new StartError(
      `${text} is too slow: at least 525kbit/s. To send nothing, use --pause. 速率不能低于 525kbit/s；如需停止发送，请用 --pause。`,
    )
  return rate
}

/** @throws StartError */
export function parseBytes(text: string): number {
  const parsed = byteCount.safeParse(text)
  if (!parsed.success) throw new StartError(`${text}: write a size such as 500GiB. 请写作 500GiB。`)
  return parsed.data
}
