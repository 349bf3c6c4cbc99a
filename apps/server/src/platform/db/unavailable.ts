/** The database does not answer: the outcome of the query is unknown, and the call can be repeated. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database does not answer: ${(cause as Error).message || (cause as { code?: string }).code}`, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** Connection exceptions are class 08; 53300: too many connections; 57P01 to 57P03: it stops, crashed, or starts. */
const STATES = /^(08...|53300|57P0[123])$/
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Messages of the driver that come without a code. */
const SAID =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool after calling end)/

/** Whether an error means that the database is unavailable, as opposed to a refused query. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return STATES.test(code) || SYSTEM.has(code) || SAID.test(message)
}
