import { CommandError, EXIT } from './command-error.ts'

/** Checked before parsing the command line, because parsing may fail. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--json')
}

const json = wantsJson(process.argv)

let clearProgress = () => {}

/** Registers a callback that runs before every line, to clear the progress line. */
export function onLine(step: () => void): void {
  clearProgress = step
}

function write(stream: NodeJS.WriteStream, text: string): void {
  clearProgress()
  stream.write(`${text}\n`)
}

/** Prints the result on standard output: text, or with `--json` one document. */
export function printResult(data: unknown, text: () => string): void {
  if (json) write(process.stdout, JSON.stringify(data))
  else printLine(text())
}

/** Prints a part of the result early; `--json` has it in `printResult`. */
export function printLine(text: string): void {
  if (!json && text !== '') write(process.stdout, text)
}

/** Prints a message on standard error; nothing with `--json`. */
export function printMessage(text: string): void {
  if (!json) write(process.stderr, text)
}

/** Prints the error that ended the command. */
export function showFailure(error: unknown): void {
  const failed = error instanceof CommandError ? error : new CommandError(reasonOf(error))
  if (json) write(process.stdout, JSON.stringify({ code: failed.code, msg: failed.message, ...failed.more }))
  else write(process.stderr, failed.message)
  process.exitCode = EXIT[failed.exit]
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
