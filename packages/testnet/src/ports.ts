import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral port range, so that outgoing connections do not use these ports. */
const LOWEST = 20_000
const HIGHEST = 31_999
const given = new Set<number>()

/** A free port that this process has not returned before. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (given.has(port) || !(await isFree(port, host))) continue
    given.add(port)
    return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`)
}

export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
