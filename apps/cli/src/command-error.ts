/** Exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, signIn: 3, notFound: 4, cancelled: 130 } as const

export type Exit = Exclude<keyof typeof EXIT, 'ok'>

/** The `code` in `--json` for failures of this program; refusals of the portal keep their code. */
const CODE: Record<Exit, number> = { failed: -1, usage: 400, signIn: 401, notFound: 404, cancelled: -200 }

/** A failure of the command, with its message and exit code. */
export class CommandError extends Error {
  readonly exit: Exit
  readonly code: number
  /** More fields for `--json`, such as partial results. */
  readonly more: Readonly<Record<string, unknown>>

  constructor(
    message: string,
    exit: Exit = 'failed',
    { code = CODE[exit], more = {} }: { code?: number; more?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message)
    this.name = 'Failed'
    this.exit = exit
    this.code = code
    this.more = more
  }
}
