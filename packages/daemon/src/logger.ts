import { type Logger, pino } from 'pino'

export type { Logger }

/** A program's log: JSON lines on standard output; secrets in headers and addresses never reach it. */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, redact: ['req.headers', '*.password', '*.token', '*.Token', '*.verify_code'] })
}
