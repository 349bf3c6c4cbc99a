import { setTimeout as wait } from 'node:timers/promises'
import type Docker from 'dockerode'
import { ClusterError, type ExecOptions, type Execution } from '../driver.ts'
import { isAway } from './failures.ts'
import { demultiplexer, joined } from './streams.ts'

/** An engine may say a moment later than the stream that a program has ended. */
const EXIT_WITHIN = 2000
const LOOK_AGAIN = 25
const RESIZED_WITHIN = 2000
/** Of two sizes in quick succession Podman's monitor may take the first alone: the last one is told again, after these pauses. */
const TOLD_AGAIN = [250, 1000, 4000]

/** Starts a program in a running container. @throws ClusterError stopped, processes, failed */
export async function execute(container: Docker.Container, options: ExecOptions): Promise<Execution> {
  const { tty } = options
  const exec = await container
    .exec({
      Cmd: [...options.command],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: tty,
      ...(tty && { Env: ['TERM=xterm-256color'] }),
    })
    .catch((error: { statusCode?: number; message: string }) => {
      throw failure(error)
    })
  // Said twice: without it here some engines write headers between what a terminal shows.
  const raw = await exec.start({ hijack: true, stdin: true, Tty: tty }).catch((error: { message: string }) => {
    throw failure(error)
  })
  const tell = async (columns: number, rows: number) => {
    for (const end = Date.now() + RESIZED_WITHIN; ; await wait(LOOK_AGAIN)) {
      const failed = await exec.resize({ w: columns, h: rows }).then(
        () => undefined,
        (error: { statusCode?: number }) => error,
      )
      // 201 is how Podman says yes; 404 that the program has ended, anything else that it has, or has not quite begun.
      if (!failed || failed.statusCode === 201 || failed.statusCode === 404 || raw.destroyed) return
      if (failed.statusCode === undefined) throw failed
      if (Date.now() > end) return
    }
  }
  let told = 0
  const resize = async (columns: number, rows: number) => {
    told += 1
    const turn = told
    await tell(columns, rows)
    for (const pause of TOLD_AGAIN)
      setTimeout(() => {
        if (turn === told && !raw.destroyed) tell(columns, rows).catch(() => {})
      }, pause).unref()
  }
  const stream = joined(raw, tty ? raw : raw.pipe(demultiplexer()))
  const exit = new Promise<number>((resolve, reject) => {
    raw.once('close', () => exitCode(exec).then(resolve, reject))
  })
  exit.catch(() => {})
  raw.once('end', () => raw.destroy())
  if (tty && options.columns && options.rows) await resize(options.columns, options.rows)
  return { stream, resize, exit }
}

async function exitCode(exec: Docker.Exec): Promise<number> {
  for (const end = Date.now() + EXIT_WITHIN; ; ) {
    const { Running, ExitCode } = await exec.inspect()
    if (!Running && ExitCode !== null) return ExitCode
    if (Date.now() > end) return -1
    await wait(LOOK_AGAIN)
  }
}

function failure(error: { statusCode?: number; message: string }): Error {
  const { message } = error
  if (isAway(error)) return error as unknown as Error
  if (/init-p|resource temporarily unavailable|cannot fork|connection reset by peer/i.test(message))
    return new ClusterError('processes', 'No more programs may be started in it.', { cause: error })
  if (error.statusCode === 404) return new ClusterError('unknown', 'There is no such workload.', { cause: error })
  if (error.statusCode === 409 || /not running|improper state|state improper/i.test(message))
    return new ClusterError('stopped', 'It does not run.', { cause: error })
  return new ClusterError('failed', `The program was not started: ${message}`, { cause: error })
}
