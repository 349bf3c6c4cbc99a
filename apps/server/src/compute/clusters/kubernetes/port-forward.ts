import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { type KubeConfig, PortForward } from '@kubernetes/client-node'

/**
 * Connections to pods through the API server, as `kubectl port-forward` makes them. They arrive from within the pod, so no network policy
 * has to let anybody in. The protocol has no end of one direction: it ends when the program closes the connection, or both sides do.
 */

/** For how long somebody may connect to an address. */
const CONNECT_TIMEOUT_MS = 10_000
/** The channel of the data; the next one is that of errors. */
const DATA = Buffer.from([0])

/** What is used of a websocket of the package ws. */
interface Channel {
  send(bytes: Buffer, done: (error?: Error) => void): void
  pause(): void
  resume(): void
  close(): void
  onclose: unknown
  onerror: unknown
}

/**
 * A socket file, in a folder that only this process may enter, which accepts one connection and passes it on to a port of a pod.
 * @param onFailure gets what the cluster says if the port cannot be reached
 */
export async function forwardedPort(
  config: KubeConfig,
  pod: { namespace: string; pod: string },
  port: number,
  onFailure: (error: Error) => void,
): Promise<{ path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidenet-port-'))
  const path = join(folder, 'socket')
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true })
  const timer = setTimeout(() => server.close(), CONNECT_TIMEOUT_MS)
  // It closes after its connection, because others wait for that.
  server.once('connection', (socket) => {
    server.close()
    void rm(folder, { recursive: true, force: true })
    carry(config, pod, port, socket).catch((error: Error) => {
      socket.destroy()
      onFailure(error)
    })
  })
  server.once('close', () => {
    clearTimeout(timer)
    void rm(folder, { recursive: true, force: true })
  })
  server.listen(path)
  await once(server, 'listening')
  return { path }
}

async function carry(
  config: KubeConfig,
  { namespace, pod }: { namespace: string; pod: string },
  port: number,
  socket: Socket,
): Promise<void> {
  let channel: Channel | undefined
  socket.on('error', () => socket.destroy())
  const output = new Writable({
    write(bytes: Buffer, _, done) {
      if (!socket.destroyed && !socket.write(bytes)) {
        channel?.pause()
        socket.once('drain', () => channel?.resume())
      }
      done()
    },
  })
  // Empty at the beginning; otherwise the program refuses the connection.
  const errors = new Writable({
    write(bytes: Buffer, _, done) {
      if (bytes.length > 0) socket.destroy()
      done()
    },
  })
  const forward = new PortForward(config)
  channel = (await forward.portForward(
    namespace,
    pod,
    [port],
    output,
    errors,
    // The client would read from it without waiting for the network.
    new PassThrough(),
  )) as unknown as Channel
  const { close, send } = { close: () => channel.close(), send: channel.send.bind(channel) }
  channel.onclose = () => socket.end()
  channel.onerror = () => socket.destroy()
  socket.once('close', close)
  if (socket.destroyed) return close()
  socket.on('data', (bytes) => {
    socket.pause()
    send(Buffer.concat([DATA, bytes]), () => socket.resume())
  })
  socket.resume()
}
