/** What a script can tell apart. */
export const EXIT = { ok: 0, failed: 1, usage: 2, signIn: 3, notFound: 4, cancelled: 130 } as const

export type Exit = Exclude<keyof typeof EXIT, 'ok'>

/** The `code` of what this program refuses by itself; refusals of the portal keep their own numbers. */
const CODE: Record<Exit, number> = { failed: -1, usage: 400, signIn: 401, notFound: 404, cancelled: -200 }

/** Ends the command with a message and an exit code. */
export class Failed extends Error {
  readonly exit: Exit
  readonly code: number
  /** What `--json` tells besides, such as what did succeed. */
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
