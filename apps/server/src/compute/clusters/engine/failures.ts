import type { Readable } from 'node:stream'
import { type ClusterDriver, ClusterError } from '../driver.ts'
import type { Kept } from './kept.ts'

const CUT_OFF = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** What the engine itself refused has a status; a call that did not reach it, or was cut off, has the system's code. */
export function isAway(error: { statusCode?: number; code?: string; syscall?: string }): boolean {
  if (error.statusCode !== undefined || error.code === undefined) return false
  return CUT_OFF.has(error.code) || error.syscall === 'connect'
}

/** The same driver, whose failures are all ClusterErrors; an engine that did not even answer is looked for again. */
export function failingAsClusters(driver: ClusterDriver, kept: Pick<Kept<unknown>, 'turn' | 'lost'>): ClusterDriver {
  const wrapped = Object.entries(driver).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member]
    return [
      name,
      (...args: unknown[]) => {
        const turn = kept.turn()
        return (member.apply(driver, args) as Promise<unknown>).catch((error) => translate(error, turn))
      },
    ]
  })
  const translate = (error: unknown, turn: number): never => {
    if (error instanceof ClusterError) throw error
    const { message = '' } = error as { message?: string }
    if (isAway(error as object)) {
      kept.lost(turn)
      throw new ClusterError('absent', `The engine does not answer: ${message}`, { cause: error })
    }
    throw new ClusterError('failed', message, { cause: error })
  }
  return Object.fromEntries(wrapped) as unknown as ClusterDriver
}

/** What breaks off before it comes to the engine, by whatever code, says nothing of the engine. */
export async function sent<T>(source: Readable, work: Promise<T>): Promise<T> {
  let torn: Error | undefined
  source.once('error', (error) => {
    torn = error
  })
  return work.catch((error: unknown) => {
    throw torn ? new Error(torn.message, { cause: torn }) : error
  })
}

/** What is not there is as it should be, when it is to be removed. @throws whatever else went wrong */
export function unlessGone(error: { statusCode?: number }): undefined {
  if (error.statusCode !== 404) throw error
}

/** For a call that the engine refused: what was not done. @param fine statuses that mean that there was nothing to do */
export const failed =
  (what: string, ...fine: readonly number[]) =>
  (error: { statusCode?: number; message: string }): void => {
    if (error.statusCode !== undefined && fine.includes(error.statusCode)) return
    if (isAway(error)) throw error
    throw new ClusterError('failed', `${what}: ${error.message}`, { cause: error })
  }
