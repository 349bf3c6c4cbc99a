import { Duplex, PassThrough, Writable } from 'node:stream'
import type { V1Status } from '@kubernetes/client-node'
import { ClusterError, type ExecOptions, type Execution, MARK } from '../driver.ts'
import { type Api, asFailure } from './api.ts'
import { CONTAINER } from './pods.ts'

/** Output of a terminal. The client reads the terminal's size from its properties, at start and at `resize` events. */
class TerminalOutput extends Writable {
  /** Missing without a terminal: otherwise the client would send a size, and some servers then wait forever. */
  declare columns?: number
  declare rows?: number
  readonly #take: (chunk: Buffer, done: () => void) => void

  constructor(size: { columns: number; rows: number } | undefined, take: (chunk: Buffer, done: () => void) => void) {
    super()
    if (size) Object.assign(this, size)
    this.#take = take
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#take(chunk, done)
  }
}

/** Starts a program in a running pod. @throws ClusterError */
export async function execute(
  { exec }: Pick<Api, 'exec'>,
  { namespace, pod }: { namespace: string; pod: string },
  { command: given, tty, columns = 80, rows = 24, apart = false, mark }: ExecOptions,
): Promise<Execution> {
  const command = mark ? marked(mark, given) : [...given]
  const input = new PassThrough()
  const output = new PassThrough()
  const errors = apart && !tty ? new PassThrough() : undefined
  // Applies backpressure: the next chunk is accepted after `done`.
  const into = (target: PassThrough) => (chunk: Buffer, done: () => void) => {
    if (target.write(chunk)) done()
    else target.once('drain', done)
  }
  const screen = new TerminalOutput(tty ? { columns, rows } : undefined, into(output))
  const second = errors ? new TerminalOutput(undefined, into(errors)) : screen
  let settle: (code: number) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const exit = new Promise<number>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  exit.catch(() => {})
  const socket = await exec
    .exec(namespace, pod, CONTAINER, command, screen, tty ? null : second, input, tty, (status) => {
      const code = exitCode(status)
      if (code === undefined) fail(new ClusterError(failureOf(status), status.message ?? 'It could not be started.'))
      else settle(code)
    })
    .catch((error: unknown) => {
      throw asFailure(error)
    })
  socket.onclose = () => {
    output.end()
    errors?.end()
    // No exit code arrived before the end.
    settle(-1)
  }
  const stream = Duplex.from({ readable: output, writable: input })
  // Users may leave at any time; that is not an error.
  stream.on('error', () => {})
  stream.once('close', () => socket.close())
  return {
    stream,
    ...(errors && { errors }),
    exit,
    async resize(wide, high) {
      if (!tty) return
      screen.columns = wide
      screen.rows = high
      screen.emit('resize')
    },
  }
}

/** Kubernetes has no variables for an execution, so a shell of the image sets it. */
const marked = (mark: string, command: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  `${MARK}=$1; export ${MARK}; shift; exec "$@"`,
  'marked',
  mark,
  ...command,
]

/** The exit code; undefined if the program was not started. */
function exitCode({ status, reason, details }: V1Status): number | undefined {
  if (status === 'Success') return 0
  if (reason !== 'NonZeroExitCode') return undefined
  return Number(details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message ?? -1)
}

const failureOf = ({ message = '' }: V1Status) =>
  /resource temporarily unavailable|init-p|cannot fork/i.test(message) ? 'processes' : 'failed'
