import type Docker from 'dockerode'

/** A connection to an engine that has answered. */
export interface Connection {
  docker: Docker
  /** Name and version. */
  name: string
  podman: boolean
  /** Whether our seccomp filter applies, so that programs may have raw sockets. */
  filtered: boolean
  close(): Promise<void>
}

export const ANSWER_TIMEOUT_MS = 5000

/** @throws Error with the reason why the engine does not answer */
export async function openConnection(
  docker: Docker,
  { close = async () => {}, filtered = false }: Partial<Pick<Connection, 'close' | 'filtered'>> = {},
): Promise<Connection> {
  const version = await withTimeout(ANSWER_TIMEOUT_MS, docker.version()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') throw new Error('connection refused')
    if (error.code === 'EACCES') throw new Error('permission denied')
    throw error
  })
  const podman = version.Components?.some(({ Name }) => /podman/i.test(Name)) ?? false
  return { docker, name: `${podman ? 'Podman' : 'Docker'} ${version.Version}`, podman, filtered, close }
}

export class NoAnswer extends Error {}

/** @throws NoAnswer after `ms` */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(`no answer within ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
