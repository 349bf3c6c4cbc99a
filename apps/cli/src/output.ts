import { EXIT, Failed } from './failed.ts'

/** Asked before the command line is read, because reading it may fail. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--json')
}

const json = wantsJson(process.argv)

let stepAside = () => {}

/** What stands on the terminal for a while gets out of the way of every line that is written. */
export function onLine(step: () => void): void {
  stepAside = step
}

function write(stream: NodeJS.WriteStream, text: string): void {
  stepAside()
  stream.write(`${text}\n`)
}

/** The result of a command, on standard output: a text for people or, with `--json`, the one document. */
export function show(data: unknown, text: () => string): void {
  if (json) write(process.stdout, JSON.stringify(data))
  else line(text())
}

/** A part of the result that people need not wait for; `show` tells all of it to programs. */
export function line(text: string): void {
  if (!json && text !== '') write(process.stdout, text)
}

/** A line beside the result, for people alone. */
export function note(text: string): void {
  if (!json) write(process.stderr, text)
}

/** Ends the command with whatever stopped it. */
export function showFailure(error: unknown): void {
  const failed = error instanceof Failed ? error : new Failed(reasonOf(error))
  if (json) write(process.stdout, JSON.stringify({ code: failed.code, msg: failed.message, ...failed.more }))
  else write(process.stderr, failed.message)
  process.exitCode = EXIT[failed.exit]
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
