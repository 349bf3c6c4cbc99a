import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { CONNECT_CLOSES } from '@tidenet/contract/connections'
import type { WebSocket } from 'ws'
import { CommandError } from '../command-error.ts'
import { texts } from '../texts.ts'
import { closeReason, sender, write } from './connect.ts'

/** `8080:80`, or `80` for the same port on both sides. 0: any free port of this machine. @throws CommandError 'usage' */
export function readPorts(text: string): { local: number; remote: number } {
  const [, first = '', second] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(text) ?? []
  const local = Number(first)
  const remote = Number(second ?? first)
  if (first === '' || remote < 1 || remote > 65_535 || local > 65_535)
    throw new CommandError(texts.programs.badPorts(text), 'usage')
  return { local, remote }
}

/**
 * Opens a connection to a port of a program, and ends it.
 * @throws CommandError if the program does not listen
 */
export async function requireAnswer(
  open: () => Promise<WebSocket>,
  { name, port }: { name: string; port: number },
): Promise<void> {
  const socket = await open()
  const code = await new Promise<number>((resolve) => {
    socket.once('close', resolve)
    // The server reads nothing, also no ping, until it is connected with the program.
    socket.once('pong', () => resolve(1000))
    socket.resume()
    socket.ping()
  })
  socket.close()
  if (code === CONNECT_CLOSES.refused) throw new CommandError(texts.programs.notListening(name, port))
  const reason = closeReason(code)
  if (reason) throw reason
}

/**
 * Listens on this machine only, and connects every connection with one of the program.
 * @param open opens a connection, paused
 * @param onFailure is told why a connection failed
 * @throws CommandError if the port cannot be used
 */
export async function listenFor(
  local: number,
  open: () => Promise<WebSocket>,
  onFailure: (error: unknown) => void,
): Promise<{ port: number; stop(): void; stopped: Promise<unknown> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => sockets.delete(client))
    open()
      .then((socket) => join(client, socket))
      .catch((error: unknown) => {
        client.destroy()
        onFailure(error)
      })
  })
  server.listen(local, '127.0.0.1')
  await once(server, 'listening').catch(({ code = '' }: NodeJS.ErrnoException) => {
    throw new CommandError(texts.programs.portTaken(local, code))
  })
  server.on('error', () => {})
  const stopped = once(server, 'close')
  return {
    stopped,
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close()
      for (const client of sockets) client.destroy()
    },
  }
}

/** Connects both until both have ended. An empty frame is the end of a direction. @throws CommandError */
export async function join(client: Socket, socket: WebSocket): Promise<void> {
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const send = sender(socket, client)
  client.on('data', send)
  client.once('end', () => send(Buffer.alloc(0)))
  client.once('close', () => socket.close())
  socket.on('message', (bytes: Buffer) => {
    if (bytes.length === 0) client.end()
    else write(client, socket, bytes)
  })
  if (client.destroyed) socket.close()
  client.resume()
  socket.resume()
  const reason = closeReason(await closed)
  // What arrived is still written.
  if (reason) client.destroy()
  else client.end()
  if (reason) throw reason
}
