import type { Readable } from 'node:stream'
import {
  CHAT_STREAMS,
  CHAT_STREAMS_PER_AGENT,
  CHAT_STREAMS_PER_CUSTOMER,
  CHAT_STREAMS_PER_NETWORK,
} from '@tidenet/contract'
import { visitorNetworkOf } from '@tidenet/daemon'
import { plansOf, stillOpen } from '../../identity/index.ts'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { createListener } from '../../platform/db/listen.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import * as agents from './agents-repository.ts'
import {
  begin,
  type CustomerStream,
  newCustomerStream,
  pushAccount,
  pushOnline,
  sendChanges,
} from './customer-streams.ts'
import type { Customer } from './customers.ts'
import { countConversations, idsOfAccounts } from './desk-repository.ts'
import { type Changed, createDeskFeed, type DeskStream, newDeskStream } from './desk-streams.ts'
import { createGate } from './gate.ts'
import { CHANNEL } from './repository.ts'
import { end, event, push, type Stream } from './streams.ts'

type Deps = Pick<Context, 'db' | 'config' | 'log' | 'clock'>

const ACCOUNT_CHANNEL = 'account'
/** Changes within this time are read with one query, ms. */
const GATHER_MS = 50
/** An agent whose server was killed counts as online for this long, ms. */
const DESK_LIFE = 45_000
const TICK = { usual: 5000, quick: 500 } as const
const COMMENT_MS = 15_000
/** Streams whose beginning is read at once: thousands of clients reconnect when a server was restarted. */
const BEGINNINGS = 6
/** While notifications are missed or reading failed, everything is read again at this interval, ms. */
const RETRY_MS = 2000

/** Streams of customers and agents. All servers read the same tables, so every server sends the same. */
export interface Live {
  /** @returns undefined if there are too many streams */
  listenAsCustomer(customer: Customer, after: number | undefined, ip: string): Promise<Readable | undefined>
  listenAtDesk(agent: Member, ip: string): Promise<Readable | undefined>
  start(): Promise<void>
  stop(): Promise<void>
}

export function createLive(context: Deps): Live {
  const { db, config, log } = context
  const customers = new Map<string, Set<CustomerStream>>()
  const desks = new Set<DeskStream>()
  const networks = new Map<string, number>()
  let streams = 0
  let stopped = false
  const feed = createDeskFeed(db)
  const gate = createGate(BEGINNINGS)
  let agentsSent = ''

  // What changed since the last flush.
  const dirtyCustomers = new Set<string>()
  const dirtyAccounts = new Set<number>()
  const changedAccounts = new Set<number>()
  let dirtyConversations = new Map<number, Changed>()
  let agentsChanged = false
  let timer: NodeJS.Timeout | undefined
  let ticker: NodeJS.Timeout | undefined
  let flushing = false
  let failing = false
  let commentedAt = performance.now()

  const allCustomers = (): CustomerStream[] => [...customers.values()].flatMap((set) => [...set])
  const all = (): Stream[] => [...allCustomers(), ...desks]

  const schedule = (ms = GATHER_MS) => {
    if (stopped || timer || flushing) return
    timer = setTimeout(flush, ms)
    timer.unref()
  }
  const markAll = () => {
    if (streams === 0) return
    for (const key of customers.keys()) dirtyCustomers.add(key)
    for (const { session } of all()) if (session) dirtyAccounts.add(session.userId)
    agentsChanged = true
    schedule()
  }

  const listener = createListener(config.databaseUrl, {
    channels: [CHANNEL, agents.AGENTS_CHANNEL, ACCOUNT_CHANNEL],
    log,
    lost: 'lost the connection that listens for chat messages; they arrive a little later',
    onNotification(channel, payload) {
      if (streams === 0) return
      if (channel === agents.AGENTS_CHANNEL) agentsChanged = true
      else if (channel === ACCOUNT_CHANNEL) noteAccount(Number(payload))
      else noteChange(payload)
      schedule()
    },
    onConnected() {
      markAll()
      void sendReady([...desks]).catch(() => {})
    },
  })

  function noteAccount(userId: number): void {
    dirtyAccounts.add(userId)
    if (desks.size > 0) changedAccounts.add(userId)
  }

  function noteChange(payload: string): void {
    const [id = '', key = '', first = '', note = ''] = payload.split(' ')
    if (customers.has(key)) dirtyCustomers.add(key)
    if (desks.size === 0) return
    const seq = Number(first)
    const before = dirtyConversations.get(Number(id))
    dirtyConversations.set(Number(id), {
      first: before?.first && seq ? Math.min(before.first, seq) : seq || (before?.first ?? 0),
      notes: note === '' ? (before?.notes ?? []) : [...(before?.notes ?? []), note],
    })
  }

  async function flush(): Promise<void> {
    timer = undefined
    if (stopped) return
    flushing = true
    const conversations = dirtyConversations
    const keys = [...dirtyCustomers]
    const accounts = [...dirtyAccounts]
    const changed = [...changedAccounts]
    const agentsToo = agentsChanged
    dirtyConversations = new Map()
    dirtyCustomers.clear()
    dirtyAccounts.clear()
    changedAccounts.clear()
    agentsChanged = false
    try {
      const waiting = keys.flatMap((key) => [...(customers.get(key) ?? [])])
      for (const stream of waiting) if (!stream.ready) stream.stale = true
      await sendChanges(
        db,
        waiting.filter(({ ready }) => ready),
      )
      // Agents see the plan of the customer.
      for (const id of changed.length > 0 ? await idsOfAccounts(db, changed) : [])
        if (!conversations.has(id)) conversations.set(id, { first: 0, notes: [] })
      if (conversations.size > 0 && desks.size > 0) {
        await feed.send(desks, conversations)
        await feed.sendCounts(desks)
      }
      if (accounts.length > 0) await checkAccounts(new Set(accounts))
      if (agentsToo) await sendAgents()
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'could not read chat messages; retrying')
      failing = true
      // The notifications are used up: read everything again.
      feed.reset()
      for (const key of keys) dirtyCustomers.add(key)
      for (const id of accounts) dirtyAccounts.add(id)
      for (const id of changed) changedAccounts.add(id)
      for (const [id, change] of conversations) if (!dirtyConversations.has(id)) dirtyConversations.set(id, change)
      agentsChanged ||= agentsToo
    }
    flushing = false
    if (failing) schedule(RETRY_MS)
    else if (dirtyCustomers.size + dirtyConversations.size + dirtyAccounts.size > 0 || agentsChanged) schedule()
  }

  /** Ends streams whose session has ended or whose account may no longer have them, and sends changed plans to the others. */
  async function checkAccounts(userIds: ReadonlySet<number>): Promise<void> {
    const ofAccounts = all().filter(({ session }) => session && userIds.has(session.userId))
    if (ofAccounts.length === 0) return
    const ids = [...new Set(ofAccounts.flatMap(({ session }) => session?.userId ?? []))]
    const [plans, open] = await Promise.all([
      plansOf(db, ids),
      stillOpen(db, [...new Set(ofAccounts.flatMap(({ session }) => session?.id ?? []))], now(context)),
    ])
    for (const stream of ofAccounts) {
      const { session } = stream
      const plan = session && plans.get(session.userId)
      const isDesk = !('customer' in stream)
      if (!session || !plan || plan.locked || !open.has(session.id) || (isDesk && plan.role !== 'operator')) end(stream)
      else if ('customer' in stream) pushAccount(stream as CustomerStream, plan)
    }
  }

  async function sendAgents(): Promise<void> {
    const online = await agents.agentsOnline(db, now(context))
    for (const stream of allCustomers()) if (stream.ready) pushOnline(stream, online.length > 0)
    const text = event('agents', { online })
    if (text === agentsSent) return
    agentsSent = text
    for (const stream of desks) push(stream, text)
  }

  async function sendReady(to: readonly DeskStream[]): Promise<void> {
    if (to.length === 0) return
    const text = event('ready', await countConversations(db))
    for (const stream of to) push(stream, text)
  }

  async function tick(): Promise<void> {
    if (streams === 0 || stopped) return
    if (performance.now() - commentedAt >= COMMENT_MS) {
      commentedAt = performance.now()
      for (const stream of all()) push(stream, ': still here\n\n')
    }
    if (desks.size > 0) {
      const open = [...desks].map(({ id, agent }) => ({ stream: id, agent }))
      await agents.renewDesks(db, open, deskUntil())
    }
    // Sessions expire without a notification.
    for (const { session } of all()) if (session) dirtyAccounts.add(session.userId)
    agentsChanged = true
    if (!listener.connected) {
      markAll()
      await sendReady([...desks])
    }
    schedule()
  }
  const scheduleTick = () => {
    ticker = setTimeout(() => {
      // The pool has already logged that the database is unavailable.
      tick()
        .catch(() => {})
        .finally(() => {
          if (!stopped) scheduleTick()
        })
    }, TICK[config.pace])
    ticker.unref()
  }

  const deskUntil = () => new Date(now(context).getTime() + DESK_LIFE)
  const hasRoom = (clientNetwork: string): boolean =>
    !stopped && streams < CHAT_STREAMS && (networks.get(clientNetwork) ?? 0) < CHAT_STREAMS_PER_NETWORK
  const countStream = (clientNetwork: string, by: 1 | -1) => {
    streams += by
    const left = (networks.get(clientNetwork) ?? 0) + by
    if (left > 0) networks.set(clientNetwork, left)
    else networks.delete(clientNetwork)
  }

  return {
    async listenAsCustomer(customer, after, ip) {
      const clientNetwork = customer.member ? clientNetworkOf(ip) : visitorNetworkOf(ip)
      const ofCustomer = customers.get(customer.key) ?? new Set()
      if (!hasRoom(clientNetwork) || ofCustomer.size >= CHAT_STREAMS_PER_CUSTOMER) return undefined
      const stream = newCustomerStream(customer, clientNetwork, () => {
        if (!stream.behind) return
        stream.behind = false
        dirtyCustomers.add(customer.key)
        schedule()
      })
      // It counts from now on, and remembers what changes while its beginning is read.
      customers.set(customer.key, ofCustomer.add(stream))
      countStream(clientNetwork, 1)
      stream.readable.once('close', () => {
        ofCustomer.delete(stream)
        if (ofCustomer.size === 0 && customers.get(customer.key) === ofCustomer) customers.delete(customer.key)
        countStream(clientNetwork, -1)
      })
      try {
        await gate(async () => begin(db, stream, after, await agents.isAgentOnline(db, now(context))))
      } catch (error) {
        stream.readable.destroy()
        throw error
      }
      stream.ready = true
      if (stopped) end(stream)
      if (stream.stale) {
        dirtyCustomers.add(customer.key)
        schedule()
      }
      return stream.readable
    },

    async listenAtDesk(agent, ip) {
      const clientNetwork = clientNetworkOf(ip)
      const ofAgent = [...desks].filter((other) => other.agent === agent.uid).length
      // Customers may use up the room of the server and of the network: agents have their own.
      if (stopped || ofAgent >= CHAT_STREAMS_PER_AGENT) return undefined
      const stream = newDeskStream(agent, clientNetwork)
      push(stream, 'retry: 3000\n\n')
      desks.add(stream)
      countStream(clientNetwork, 1)
      stream.readable.once('close', () => {
        desks.delete(stream)
        if (desks.size === 0) feed.reset()
        countStream(clientNetwork, -1)
        // If the database is unavailable, the row expires.
        db.transaction((tx) => agents.closeDesk(tx, stream.id)).catch(() => {})
      })
      try {
        await db.transaction((tx) => agents.openDesk(tx, stream.id, agent.uid, deskUntil()))
        await sendReady([stream])
        push(stream, event('agents', { online: await agents.agentsOnline(db, now(context)) }))
      } catch (error) {
        stream.readable.destroy()
        throw error
      }
      if (stopped) end(stream)
      return stream.readable
    },

    async start() {
      await listener.start()
      scheduleTick()
    },

    async stop() {
      stopped = true
      clearTimeout(timer)
      clearTimeout(ticker)
      for (const stream of all()) end(stream)
      await listener.stop()
    },
  }
}
