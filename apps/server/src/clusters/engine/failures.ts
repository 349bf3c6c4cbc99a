import { type ClusterDriver, ClusterError } from '../driver.ts'

/**
 * The same driver, whose failures are all ClusterErrors.
 * @param onAway called when the engine did not even answer
 */
export function failingAsClusters(driver: ClusterDriver, onAway: () => void): ClusterDriver {
  const wrapped = Object.entries(driver).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member]
    return [name, (...args: unknown[]) => (member.apply(driver, args) as Promise<unknown>).catch(translate)]
  })
  const translate = (error: unknown): never => {
    if (error instanceof ClusterError) throw error
    const { message = '', statusCode, code } = error as { message?: string; statusCode?: number; code?: string }
    // What the engine itself refused has a status; a call that did not reach it has the system's code.
    if (statusCode === undefined && code !== undefined) {
      onAway()
      throw new ClusterError('absent', `The engine does not answer: ${message}`, { cause: error })
    }
    throw new ClusterError('failed', message, { cause: error })
  }
  return Object.fromEntries(wrapped) as unknown as ClusterDriver
}
