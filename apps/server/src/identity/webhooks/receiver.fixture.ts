import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { openSession } from '../sessions/tokens.ts'
import { deliverDue } from './deliver.ts'
import { emitEvent } from './emit.ts'

/** For tests: an HTTP server that receives webhooks. */

export interface Received {
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  received: Received[]
  /** What it answers; by default 204. */
  answer: RequestListener
}

const opened: Server[] = []

export async function receiver(answer: RequestListener = (_, reply) => reply.writeHead(204).end()): Promise<Receiver> {
  const self: Receiver = { url: '', received: [], answer }
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      self.received.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      self.answer(request, reply)
    })
  })
  opened.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=in-the-url`
  return self
}

export async function closeReceivers(): Promise<void> {
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

/** What tests of webhooks do. `env` is set up later. */
export function webhookCalls(env: () => TestEnv) {
  const never = new AbortController().signal
  const create = (owner: Person, url: string, events: readonly string[] = ['asset.uploaded']) =>
    env().call('webhooks.create', { name: 'hook', url, events: events as never }, owner)
  /** A new session, because tests move the clock by days. */
  const fresh = async (owner: Person): Promise<Person> => ({
    ...owner,
    token: (await openSession(env().context, env().db, owner, { ip: '127.0.0.1', agent: 'test' })).token,
  })
  return {
    create,
    fresh,
    hook: async (owner: Person, url: string, events?: readonly string[]): Promise<{ id: number; secret: string }> =>
      (await create(owner, url, events)).data,
    list: async (owner: Person) => (await env().call('webhooks.list', {}, await fresh(owner))).data.list,
    deliveries: async (owner: Person, id: number) =>
      (await env().call('webhooks.deliveries', { id }, await fresh(owner))).data.list,
    /** Records an event. */
    emit: (owner: Person, cid = 'some') =>
      env().db.transaction((tx) =>
        emitEvent(tx, owner.id, 'asset.uploaded', { cid } as never, new Date(env().clock.now())),
      ),
    deliver: (signal: AbortSignal = never) => deliverDue(env().context, signal),
  }
}
