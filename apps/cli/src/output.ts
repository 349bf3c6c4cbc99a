import { createInterface } from 'node:readline/promises'
import { isSuccess, type Result } from '@tidenet/storage'
import { lang, texts } from './texts.ts'

/** What a script can tell apart: 1 refused or failed, 2 wrong use, 3 not signed in, 4 not found, 130 cancelled. */
export const EXIT = { failed: 1, usage: 2, signIn: 3, notFound: 4, cancelled: 130 } as const

/** Ends the command with a message and an exit code. */
export class Failed extends Error {
  readonly exit: keyof typeof EXIT
  readonly code: number
  constructor(message: string, exit: keyof typeof EXIT = 'failed', code = -1) {
    super(message)
    this.exit = exit
    this.code = code
  }
}

const NOT_FOUND = new Set([1000, 10018, 10028])

/** The data of an SDK result. @throws Failed with its message */
export function dataOf<T>(result: Result<T>): T {
  if (isSuccess(result)) return result.data
  const { err } = result.data
  if (result.code === 401) throw new Failed(result.msg, 'signIn', 401)
  if (result.code === -200 || result.code === 10028) throw new Failed(texts.cancelled, 'cancelled', result.code)
  throw new Failed(result.msg, err !== undefined && NOT_FOUND.has(err) ? 'notFound' : 'failed', err ?? result.code)
}

/** The result of a command, for people or, with `--json`, for programs. */
export function show(json: boolean | undefined, data: unknown, text: () => string): void {
  console.log(json ? JSON.stringify(data) : text())
}

/** Columns; wide characters take two places. */
export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headers.map((header, column) =>
    Math.max(width(header), ...rows.map((row) => width(row[column] ?? ''))),
  )
  return [headers, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const width = (text: string): number =>
  [...text].reduce(
    (sum, character) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(character)
        ? 2
        : 1),
    0,
  )

const locale = lang === 'cn' ? 'zh-CN' : 'en-GB'
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Bytes for people: 1536 → 1.5 KiB. */
export function bytes(count: number): string {
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(count) / Math.log(1024)))
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: power === 0 ? 0 : 1 }).format(count / 1024 ** power)} ${units[power]}`
}

export const date = (text: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text))

/** Asks at the terminal; without one the command must be given the answer as an option. */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY })
  if (hidden && process.stdin.isTTY) {
    // What is typed is not echoed: everything but the question is swallowed.
    const screen = lines as unknown as { _writeToOutput?: (text: string) => void }
    screen._writeToOutput = (text) => {
      if (text.includes(question)) process.stderr.write(question)
    }
  }
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
    if (hidden && process.stdin.isTTY) process.stderr.write('\n')
  }
}
