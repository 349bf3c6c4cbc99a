import { setTimeout as wait } from 'node:timers/promises'
import type Docker from 'dockerode'
import { ClusterError, type ExecOptions, type Execution, MARK } from '../driver.ts'
import { isUnreachable } from './failures.ts'
import { demultiplexer, joinStreams, splitOutputs } from './streams.ts'

/** An engine may report the exit code shortly after the stream has ended. */
const EXIT_TIMEOUT_MS = 2000
const POLL_INTERVAL_MS = 25
const RESIZE_TIMEOUT_MS = 2000
/** Podman may ignore the second of two quick resizes, so the last size is sent again after these delays. */
const RESEND_AFTER_MS = [250, 1000, 4000]

/** Starts a program in a running container. @throws ClusterError stopped, processes, failed */
export async function execute(container: Docker.Container, options: ExecOptions): Promise<Execution> {
  const { tty, mark } = options
  const env = [...(tty ? ['TERM=xterm-256color'] : []), ...(mark ? [`${MARK}=${mark}`] : [])]
  const exec = await container
    .exec({
      Cmd: [...options.command],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: tty,
      ...(env.length > 0 && { Env: env }),
    })
    .catch((error: { statusCode?: number; message: string }) => {
      throw failure(error)
    })
  // Tty is needed here too: otherwise some engines add stream headers to a terminal's output.
  const raw = await exec.start({ hijack: true, stdin: true, Tty: tty }).catch((error: { message: string }) => {
    throw failure(error)
  })
  const sendSize = async (columns: number, rows: number) => {
    for (const end = Date.now() + RESIZE_TIMEOUT_MS; ; await wait(POLL_INTERVAL_MS)) {
      const failed = await exec.resize({ w: columns, h: rows }).then(
        () => undefined,
        (error: { statusCode?: number }) => error,
      )
      // Podman answers 201 for success. 404: the program has ended. Other statuses: it has ended, or is still starting.
      if (!failed || failed.statusCode === 201 || failed.statusCode === 404 || raw.destroyed) return
      if (failed.statusCode === undefined) throw failed
      if (Date.now() > end) return
    }
  }
  let resizes = 0
  const resize = async (columns: number, rows: number) => {
    resizes += 1
    const current = resizes
    await sendSize(columns, rows)
    for (const delay of RESEND_AFTER_MS)
      setTimeout(() => {
        if (current === resizes && !raw.destroyed) sendSize(columns, rows).catch(() => {})
      }, delay).unref()
  }
  const apart = options.apart && !tty ? splitOutputs(raw) : undefined
  const stream = joinStreams(raw, apart ? apart.output : tty ? raw : raw.pipe(demultiplexer()))
  const exit = new Promise<number>((resolve, reject) => {
    raw.once('close', () => exitCode(exec).then(resolve, reject))
  })
  exit.catch(() => {})
  raw.once('end', () => raw.destroy())
  if (tty && options.columns && options.rows) await resize(options.columns, options.rows)
  return { stream, ...(apart && { errors: apart.errors }), resize, exit }
}

async function exitCode(exec: Docker.Exec): Promise<number> {
  for (const end = Date.now() + EXIT_TIMEOUT_MS; ; ) {
    // The container ended with the program, for example a sandbox that ran out of memory.
    const found = await exec.inspect().catch((error: { statusCode?: number; message: string }) => {
      if (error.statusCode !== 404 && !/no such exec session/.test(error.message)) throw error
    })
    if (found && !found.Running && found.ExitCode !== null) return found.ExitCode
    if (!found || Date.now() > end) return -1
    await wait(POLL_INTERVAL_MS)
  }
}

function failure(error: { statusCode?: number; message: string }): Error {
  const { message } = error
  if (isUnreachable(error)) return error as unknown as Error
  if (/init-p|resource temporarily unavailable|cannot fork|connection reset by peer/i.test(message))
    return new ClusterError('processes', 'The process limit of the workload is reached.', { cause: error })
  if (error.statusCode === 404) return new ClusterError('unknown', 'There is no such workload.', { cause: error })
  if (error.statusCode === 409 || /not running|improper state|state improper/i.test(message))
    return new ClusterError('stopped', 'The workload is not running.', { cause: error })
  return new ClusterError('failed', `The program could not be started: ${message}`, { cause: error })
}
