import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UPDATE_PROBLEMS } from '@tidenet/contract'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'

/** How often a version may fail to become ready before the node keeps the one that it has. */
export const TRIES_MAX = 3

const shape = z.strictObject({
  /** Time of the newest manifest that was verified, unix ms. */
  seen: z.number().default(0),
  /** An update that did not work. */
  failed: z
    .strictObject({
      version: z.string(),
      sha256: z.string(),
      problem: z.enum(UPDATE_PROBLEMS),
      /** Failures to become ready. */
      tries: z.number(),
      /** Failures of any kind in a row; the wait grows with them. */
      failures: z.number(),
      /** Not before this time, unix ms. */
      retryAt: z.number(),
    })
    .optional(),
  /** The new version is being started. If the node finds this at its own start, it was killed meanwhile. */
  trying: z.strictObject({ version: z.string(), sha256: z.string(), time: z.number() }).optional(),
  /** The new version has replaced the one of before, which stays until it has run for a while. */
  probation: z
    .strictObject({ version: z.string(), sha256: z.string(), time: z.number(), starts: z.number() })
    .optional(),
})

/** What a node remembers about updates, in `update.json` in its data folder. */
export type UpdateState = z.infer<typeof shape>
export type FailedUpdate = NonNullable<UpdateState['failed']>

const pathOf = (data: string) => join(data, 'update.json')

/** A damaged file counts as none: the release in the program still limits what is taken. */
export const readUpdateState = async (data: string): Promise<UpdateState> => {
  try {
    return shape.parse(JSON.parse(await readFile(pathOf(data), 'utf8')))
  } catch {
    return { seen: 0 }
  }
}

export const writeUpdateState = (data: string, state: UpdateState): Promise<void> =>
  writeDurably(pathOf(data), `${JSON.stringify(state)}\n`, 0o600)

const WAIT_MIN_MS = 3600_000
const WAIT_MAX_MS = 24 * 3600_000

/** The state after a failure: waits double from an hour to a day, so that a broken mirror does not use up the owner's traffic. */
export function withFailure(
  { trying: _, ...state }: UpdateState,
  { version, sha256, problem }: Pick<FailedUpdate, 'version' | 'sha256' | 'problem'>,
  now: number,
): UpdateState {
  const before = state.failed?.sha256 === sha256 ? state.failed : undefined
  const failures = (before?.failures ?? 0) + 1
  const tries = (before?.tries ?? 0) + (problem === 'not-ready' ? 1 : 0)
  const retryAt = now + Math.min(WAIT_MIN_MS * 2 ** (failures - 1), WAIT_MAX_MS)
  return { ...state, failed: { version, sha256, problem, tries, failures, retryAt } }
}

/** Whether the node may try this file now. */
export const mayTry = ({ failed }: UpdateState, sha256: string, now: number): boolean =>
  failed?.sha256 !== sha256 || (failed.tries < TRIES_MAX && failed.retryAt <= now)
