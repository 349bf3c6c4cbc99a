import { writeSync } from 'node:fs'
import process from 'node:process'
import { type Logger, pino } from 'pino'
import { createLogOutput, type LogOutput } from './log-output.ts'
import { surviveOutput } from './output.ts'

export type { Logger }

const STDOUT = 1
const WARN = 40

let output: LogOutput | undefined

/**
 * A program's logger: JSON lines on standard output; secrets in headers and addresses are redacted. Logging never throws and never ends the
 * program: if the disk is full or nobody reads, lines are buffered and eventually dropped.
 */
export function createLogger(name: string, level: string): Logger {
  output ??= openOutput(name)
  return pino({ name, level, redact: ['req.headers', '*.password', '*.token', '*.Token', '*.verify_code'] }, output)
}

function openOutput(name: string): LogOutput {
  surviveOutput()
  const opened = createLogOutput(
    (bytes) => writeSync(STDOUT, bytes),
    (lines) =>
      `${JSON.stringify({ level: WARN, time: Date.now(), pid: process.pid, name, lines, msg: 'lines of this log were lost: nobody took them' })}\n`,
  )
  process.on('exit', () => opened.flushSync())
  return opened
}
