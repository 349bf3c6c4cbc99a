import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { clientNetworkOf, every } from '@tidenet/daemon'
import { accountsOf } from '../../identity/index.ts'
import { type Context, now } from '../context.ts'
import { listTcpTargets, markTcpPorts, type TcpTarget } from '../workspaces/addresses.ts'
import type { Clients } from './clients.ts'
import type { Limits } from './limits.ts'
import type { Targets } from './targets.ts'

/** Between two looks at which ports are to be open. */
const LOOK_MS = { usual: 2000, quick: 200 }
/** Nothing sent or received for this long ends a connection. */
const IDLE_MS = 3_600_000

interface OpenPort {
  target: TcpTarget
  server: Server
  sockets: Set<Socket>
}

/** Opens the ports of programs that speak TCP while they run. They are limited as requests are, and by the bandwidth of the workspace. */
export function keepTcpPorts(
  context: Context,
  { targets, clients, limits }: { targets: Targets; clients: Clients; limits: Limits },
): { round(): Promise<void>; stop(): Promise<void> } {
  const { config, db, log } = context
  const { host, tcpPorts } = config.ingress
  const open = new Map<number, OpenPort>()

  async function carry(target: TcpTarget, visitor: Socket, sockets: Set<Socket>): Promise<void> {
    const ip = clients.addressOf(visitor.remoteAddress ?? '', undefined)
    const release = clients.accept(visitor) ? limits.take(target, clientNetworkOf(ip)) : undefined
    if (!release) return void visitor.destroy()
    visitor.once('close', release)
    const program = await targets.connect(target, true)
    if (visitor.destroyed) return void program.destroy()
    for (const [one, other] of [
      [visitor, program],
      [program, visitor],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.setTimeout(IDLE_MS, () => one.destroy())
      one.on('error', () => one.destroy())
      one.once('close', () => {
        sockets.delete(one)
        // One side may be closed before the other; an error closes both.
        if (one.errored || !one.readableEnded) other.destroy()
      })
    }
    visitor.pipe(program).pipe(visitor)
  }

  async function start(target: TcpTarget): Promise<void> {
    const sockets = new Set<Socket>()
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (visitor) => {
      visitor.on('error', () => visitor.destroy())
      sockets.add(visitor)
      visitor.once('close', () => sockets.delete(visitor))
      carry(target, visitor, sockets).catch(() => visitor.destroy())
    })
    server.listen(target.number, host)
    await once(server, 'listening')
    open.set(target.number, { target, server, sockets })
  }

  async function close(number: number): Promise<void> {
    const port = open.get(number)
    if (!port) return
    open.delete(number)
    const closed = once(port.server, 'close')
    port.server.close()
    for (const socket of port.sockets) socket.destroy()
    await closed
  }

  async function round(): Promise<void> {
    if (!tcpPorts) return
    await markTcpPorts(db, now(context))
    const rows = await listTcpTargets(db)
    const accounts = await accountsOf(
      db,
      rows.map(({ user_id }) => user_id),
    )
    const wanted = new Map(
      rows
        .filter(
          ({ number, user_id }) => number >= tcpPorts.from && number <= tcpPorts.to && !accounts.get(user_id)?.locked,
        )
        .map((row) => [row.number, row]),
    )
    for (const [number, { target }] of open) {
      const next = wanted.get(number)
      if (next?.workload !== target.workload || next.port !== target.port) await close(number)
    }
    for (const [number, target] of wanted)
      if (!open.has(number))
        await start(target).catch((error: unknown) =>
          log.warn({ err: error, number }, 'a port of a program cannot be opened'),
        )
  }

  const rounds = every(LOOK_MS[config.pace], round, { name: 'TCP ports of programs', log })
  return {
    round,
    async stop() {
      await rounds.stop()
      for (const number of [...open.keys()]) await close(number)
    },
  }
}
