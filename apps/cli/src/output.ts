import { EXIT, Failed } from './failed.ts'

/** Asked before the command line is read, because reading it may fail. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--json')
}

const json = wantsJson(process.argv)

/** The result of a command, on standard output: a text for people or, with `--json`, the one document. */
export function show(data: unknown, text: () => string): void {
  if (json) process.stdout.write(`${JSON.stringify(data)}\n`)
  else line(text())
}

/** A part of the result that people need not wait for; `show` tells all of it to programs. */
export function line(text: string): void {
  if (!json && text !== '') process.stdout.write(`${text}\n`)
}

/** A line beside the result, for people alone. */
export function note(text: string): void {
  if (!json) process.stderr.write(`${text}\n`)
}

/** Ends the command with whatever stopped it. */
export function showFailure(error: unknown): void {
  const failed = error instanceof Failed ? error : new Failed(reasonOf(error))
  if (json) process.stdout.write(`${JSON.stringify({ code: failed.code, msg: failed.message, ...failed.more })}\n`)
  else process.stderr.write(`${failed.message}\n`)
  process.exitCode = EXIT[failed.exit]
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
