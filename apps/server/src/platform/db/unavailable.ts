/** The database is unavailable. The outcome of the query is unknown. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database is unavailable: ${(cause as Error).message || (cause as { code?: string }).code}`, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** Class 08: connection exceptions; 53300: too many connections; 57P01 to 57P03: shutting down, crashed, starting up. */
const SQL_STATES = /^(08...|53300|57P0[123])$/
const SYSTEM_CODES = new Set([
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
/** Errors of the driver without a code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool after calling end)/

/** Whether an error means that the database is unavailable, as opposed to a rejected query. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return SQL_STATES.test(code) || SYSTEM_CODES.has(code) || DRIVER_MESSAGES.test(message)
}
