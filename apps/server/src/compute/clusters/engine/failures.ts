import type { Readable } from 'node:stream'
import { isCommandFailure } from '../command-failures.ts'
import { type ClusterDriver, ClusterError } from '../driver.ts'
import type { Reconnecting } from './reconnecting.ts'

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether a call did not reach the engine or was interrupted: such errors have a system code, refusals of the engine an HTTP status. */
export function isUnreachable(error: { statusCode?: number; code?: string; syscall?: string }): boolean {
  if (error.statusCode !== undefined || error.code === undefined) return false
  return CONNECTION_ERRORS.has(error.code) || error.syscall === 'connect'
}

/** Turns all errors of a driver into ClusterErrors. If the engine does not answer, it is searched for again. */
export function withClusterErrors(
  driver: ClusterDriver,
  connection: Pick<Reconnecting<unknown>, 'attempt' | 'reportLost'>,
): ClusterDriver {
  const wrapped = Object.entries(driver).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member]
    return [
      name,
      (...args: unknown[]) => {
        const attempt = connection.attempt()
        return (member.apply(driver, args) as Promise<unknown>).catch((error) => translate(error, attempt))
      },
    ]
  })
  const translate = (error: unknown, attempt: number): never => {
    if (error instanceof ClusterError) throw error
    const { message = '' } = error as { message?: string }
    if (isUnreachable(error as object)) {
      connection.reportLost(attempt)
      throw new ClusterError('absent', `The engine does not answer: ${message}`, { cause: error })
    }
    throw new ClusterError('failed', message, { cause: error })
  }
  return Object.fromEntries(wrapped) as unknown as ClusterDriver
}

/** Hides the system code of errors of the source: they do not mean that the engine is unreachable. */
export async function withSourceErrors<T>(source: Readable, work: Promise<T>): Promise<T> {
  let sourceError: Error | undefined
  source.once('error', (error) => {
    sourceError = error
  })
  return work.catch((error: unknown) => {
    throw sourceError ? new Error(sourceError.message, { cause: sourceError }) : error
  })
}

/** Ignores 404. @throws every other error */
export function ignoreNotFound(error: { statusCode?: number }): undefined {
  if (error.statusCode !== 404) throw error
}

/** Like {@link failWith}, for the start of a program: `command` if its command does not exist. */
export const failToStart =
  (message: string, ...ignored: readonly number[]) =>
  (error: { statusCode?: number; message: string }): void => {
    if (isCommandFailure(error.message)) throw new ClusterError('command', error.message, { cause: error })
    failWith(message, ...ignored)(error)
  }

/** An error handler that throws ClusterError `failed` with this message. @param ignored HTTP statuses that are no errors */
export const failWith =
  (message: string, ...ignored: readonly number[]) =>
  (error: { statusCode?: number; message: string }): void => {
    if (error.statusCode !== undefined && ignored.includes(error.statusCode)) return
    if (isUnreachable(error)) throw error
    throw new ClusterError('failed', `${message}: ${error.message}`, { cause: error })
  }
