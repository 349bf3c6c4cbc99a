import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'

const shape = z.strictObject({
  /** Contents that still need the node; null: the portal has not accepted it yet. */
  remaining: z.number().nullable(),
  /** The most of them so far. */
  of: z.number(),
  /** When the portal said so, unix ms. */
  at: z.number(),
})

/** How far a node is that leaves, as the portal says, in `leaving.json` in its data folder. */
export type LeavingState = z.infer<typeof shape>

const pathOf = (data: string) => join(data, 'leaving.json')

export const readLeaving = async (data: string): Promise<LeavingState | undefined> => {
  try {
    return shape.parse(JSON.parse(await readFile(pathOf(data), 'utf8')))
  } catch {
    return undefined
  }
}

/** @param now unix ms */
export async function noteLeaving(data: string, answer: { remaining: number } | null, now: number): Promise<void> {
  const remaining = answer?.remaining ?? null
  const of = Math.max(remaining ?? 0, (await readLeaving(data))?.of ?? 0)
  await writeDurably(pathOf(data), JSON.stringify({ remaining, of, at: now } satisfies LeavingState), 0o600)
}

export const forgetLeaving = (data: string): Promise<void> => rm(pathOf(data), { force: true })
