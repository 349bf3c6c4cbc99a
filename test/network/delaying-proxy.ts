import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A TCP proxy that delivers bytes later, as a long way between two regions does: every request takes a round trip. Bytes stay in order. The
 * handshake of the connection takes no time, because the operating system does it.
 */
export interface DelayingProxy {
  readonly port: number
  /** Connections that were opened through it. */
  readonly connections: number
  close(): void
}

/** @param delayMs in each direction */
export async function openDelayingProxy(
  target: { host: string; port: number },
  delayMs: number,
): Promise<DelayingProxy> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = createServer((near) => {
    connections += 1
    const far = connect(target)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {
        near.destroy()
        far.destroy()
      })
      socket.on('close', () => sockets.delete(socket))
    }
    delay(near, far, delayMs)
    delay(far, near, delayMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    get connections() {
      return connections
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Writes what arrives after the delay, in order, and reads no more while the other side does not. */
function delay(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (bytes: Buffer) => {
    setTimeout(() => {
      if (to.destroyed || to.write(bytes)) return
      from.pause()
      to.once('drain', () => from.resume())
    }, delayMs)
  })
  from.on('end', () => setTimeout(() => to.destroyed || to.end(), delayMs))
}
