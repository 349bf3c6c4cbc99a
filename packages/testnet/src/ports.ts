import { randomInt } from 'node:crypto'
import { createServer, type ListenOptions, type Server } from 'node:net'

/** Below the ephemeral port range, so that outgoing connections do not use these ports. */
const LOWEST = 20_000
const HIGHEST = 31_999
const given = new Set<number>()

/** A free port that no process of this machine has been given. On other systems than Linux: that this process has not been given. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (given.has(port) || !(await claim(port)) || !(await isFree(port, host))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`)
}

/** This port if it is free; another one if it is taken, or not given. */
export const freeOr = async (port: number | undefined, host = '127.0.0.1'): Promise<number> =>
  port && (await isFree(port, host)) ? port : freePort(host)

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = await listen({ port, host })
  if (!server) return false
  await new Promise((resolve) => server.close(resolve))
  return true
}

/**
 * Between finding a free port and the program's bind, another process could find the same one. A claim is an abstract socket: it has no file,
 * and the kernel removes it when this process ends.
 */
async function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const server = await listen({ path: `\0tidenet-port-${port}` })
  server?.unref()
  return server !== undefined
}

/** Undefined if the address is taken. */
function listen(address: ListenOptions): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ ...address, exclusive: true }, () => resolve(server))
  })
}
