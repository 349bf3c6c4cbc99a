import type Docker from 'dockerode'

/** An engine that has answered. */
export interface Connection {
  docker: Docker
  /** Name and version. */
  name: string
  podman: boolean
  /** Whether programs there cannot open raw packet sockets. */
  filtered: boolean
  close(): Promise<void>
}

export const ANSWER_WITHIN = 5000

/** @throws Error that says why the engine does not answer */
export async function greet(
  docker: Docker,
  { close = async () => {}, filtered = false }: Partial<Pick<Connection, 'close' | 'filtered'>> = {},
): Promise<Connection> {
  const version = await within(ANSWER_WITHIN, docker.version()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') throw new Error('nothing listens there')
    if (error.code === 'EACCES') throw new Error('this account may not use it')
    throw error
  })
  const podman = version.Components?.some(({ Name }) => /podman/i.test(Name)) ?? false
  return { docker, name: `${podman ? 'Podman' : 'Docker'} ${version.Version}`, podman, filtered, close }
}

export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
