import type { Readable } from 'node:stream'
import { CHAT_STREAMS_PER_AGENT, CHAT_STREAMS_PER_CUSTOMER, isAgentRole } from '@tidenet/contract'
import { visitorNetworkOf } from '@tidenet/daemon'
import { plansOf, stillOpen } from '../../identity/index.ts'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { createListener } from '../../platform/db/listen.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import * as agents from './agents-repository.ts'
import { recordFollowing } from './audit.ts'
import { addChanged, isEmpty, newChanges, putBack } from './changes.ts'
import {
  begin,
  type CustomerStream,
  newCustomerStream,
  type Position,
  pushAccount,
  pushOnline,
  sendChanges,
} from './customer-streams.ts'
import type { Customer } from './customers.ts'
import { countConversations, idsOfAccounts } from './desk-repository.ts'
import { createDeskFeed, type DeskStream, newDeskStream } from './desk-streams.ts'
import { createGate } from './gate.ts'
import { CHANNEL, findConversation } from './repository.ts'
import { createRooms } from './rooms.ts'
import { createSpaced } from './spaced.ts'
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
/** Conversations are counted at most once in this time, ms. */
const COUNT_MS = 1000

/** Streams of customers and agents. All servers read the same tables, so every server sends the same. */
export interface Live {
  /** @returns undefined if there are too many streams */
  listenAsCustomer(customer: Customer, after: Position | undefined, ip: string): Promise<Readable | undefined>
  listenAtDesk(agent: Member, ip: string): Promise<Readable | undefined>
  start(): Promise<void>
  stop(): Promise<void>
}

export function createLive(context: Deps): Live {
  const { db, config, log } = context
  const customers = new Map<string, Set<CustomerStream>>()
  const desks = new Set<DeskStream>()
  const rooms = createRooms()
  let stopped = false
  const feed = createDeskFeed(db)
  const gate = createGate(BEGINNINGS)
  const counting = createSpaced(COUNT_MS, () => feed.sendCounts(desks))
  /** The last list of agents that was sent to the desks. */
  let onlineAgents = ''
  let changes = newChanges()
  let timer: NodeJS.Timeout | undefined
  let ticker: NodeJS.Timeout | undefined
  let flushing = false
  let failing = false
  let commentedAt = performance.now()

  const allCustomers = (): CustomerStream[] => [...customers.values()].flatMap((set) => [...set])
  const all = (): Stream[] => [...allCustomers(), ...desks]
  const isIdle = () => customers.size === 0 && desks.size === 0

  const schedule = (ms = GATHER_MS) => {
    if (stopped || timer || flushing) return
    timer = setTimeout(flush, ms)
    timer.unref()
  }
  const markAll = () => {
    if (isIdle()) return
    for (const key of customers.keys()) changes.customers.add(key)
    for (const { session } of all()) if (session) changes.accounts.add(session.userId)
    changes.agents = true
    schedule()
  }

  const listener = createListener(config.databaseUrl, {
    channels: [CHANNEL, agents.AGENTS_CHANNEL, ACCOUNT_CHANNEL],
    log,
    lost: 'lost the connection that listens for chat messages; they arrive a little later',
    onNotification(channel, payload) {
      if (isIdle()) return
      if (channel === agents.AGENTS_CHANNEL) changes.agents = true
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
    changes.accounts.add(userId)
    if (desks.size > 0) changes.plans.add(userId)
  }

  function noteChange(payload: string): void {
    const [id = '', key = '', first = '', note = ''] = payload.split(' ')
    if (customers.has(key)) changes.customers.add(key)
    if (desks.size === 0) return
    addChanged(changes.conversations, Number(id), { first: Number(first), notes: note === '' ? [] : [note] })
  }

  async function flush(): Promise<void> {
    timer = undefined
    if (stopped) return
    flushing = true
    const taken = changes
    changes = newChanges()
    try {
      const waiting = [...taken.customers].flatMap((key) => [...(customers.get(key) ?? [])])
      for (const stream of waiting) if (!stream.ready) stream.stale = true
      await sendChanges(
        db,
        waiting.filter(({ ready }) => ready),
      )
      // Agents see the plan of the customer.
      for (const id of taken.plans.size > 0 ? await idsOfAccounts(db, [...taken.plans]) : [])
        addChanged(taken.conversations, id, { first: 0, notes: [] })
      if (taken.conversations.size > 0 && desks.size > 0) {
        await feed.send(desks, taken.conversations)
        counting.ask()
      }
      if (taken.accounts.size > 0) await checkAccounts(taken.accounts)
      if (taken.agents) await sendAgents()
      if (failing) await sendReady([...desks])
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'could not read chat messages; retrying')
      failing = true
      feed.reset()
      putBack(changes, taken)
    }
    flushing = false
    if (failing) schedule(RETRY_MS)
    else if (!isEmpty(changes)) schedule()
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
      if (!session || !plan || plan.locked || !open.has(session.id) || (isDesk && !isAgentRole(plan.role))) end(stream)
      else if ('customer' in stream) pushAccount(stream as CustomerStream, plan)
    }
  }

  async function sendAgents(): Promise<void> {
    const online = await agents.agentsOnline(db, now(context))
    for (const stream of allCustomers()) if (stream.ready) pushOnline(stream, online.length > 0)
    const text = event('agents', { online })
    if (text === onlineAgents) return
    onlineAgents = text
    for (const stream of desks) push(stream, text)
  }

  async function sendReady(to: readonly DeskStream[]): Promise<void> {
    if (to.length === 0) return
    const text = event('ready', await countConversations(db))
    for (const stream of to) push(stream, text)
  }

  async function tick(): Promise<void> {
    if (isIdle() || stopped) return
    if (performance.now() - commentedAt >= COMMENT_MS) {
      commentedAt = performance.now()
      for (const stream of all()) push(stream, ': still here\n\n')
    }
    if (desks.size > 0) {
      const open = [...desks].map(({ id, agent }) => ({ stream: id, agent }))
      await agents.extendDesks(db, open, deskUntil())
    }
    // Sessions expire without a notification.
    for (const { session } of all()) if (session) changes.accounts.add(session.userId)
    changes.agents = true
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
  /** The database is asked only if the answer decides. */
  const kindOf = async (customer: Customer, clientNetwork: string) => {
    if (customer.member) return 'account'
    if (rooms.hasRoom('newcomer', clientNetwork)) return 'newcomer'
    if (!rooms.hasRoom('visitor', clientNetwork)) return 'visitor'
    return (await gate(() => findConversation(db, customer))) ? 'visitor' : 'newcomer'
  }

  return {
    async listenAsCustomer(customer, after, ip) {
      const clientNetwork = customer.member ? clientNetworkOf(ip) : visitorNetworkOf(ip)
      const kind = await kindOf(customer, clientNetwork)
      const ofCustomer = customers.get(customer.key) ?? new Set()
      if (stopped || !rooms.hasRoom(kind, clientNetwork) || ofCustomer.size >= CHAT_STREAMS_PER_CUSTOMER)
        return undefined
      const place = rooms.enter(kind, clientNetwork)
      const onRead = () => {
        if (!stream.behind) return
        stream.behind = false
        changes.customers.add(customer.key)
        schedule()
      }
      const stream = newCustomerStream(customer, { onRead, onConversation: place.promote })
      // It counts from now on, and remembers what changes while its beginning is read.
      customers.set(customer.key, ofCustomer.add(stream))
      stream.readable.once('close', () => {
        ofCustomer.delete(stream)
        if (ofCustomer.size === 0 && customers.get(customer.key) === ofCustomer) customers.delete(customer.key)
        place.leave()
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
        changes.customers.add(customer.key)
        schedule()
      }
      return stream.readable
    },

    async listenAtDesk(agent, ip) {
      const ofAgent = [...desks].filter((other) => other.agent === agent.uid).length
      // Customers may use up the room of the server and of the network: agents have their own.
      if (stopped || ofAgent >= CHAT_STREAMS_PER_AGENT) return undefined
      const stream = newDeskStream(agent, () => {
        if (!stream.behind) return
        stream.behind = false
        sendReady([stream]).catch(() => stream.readable.destroy())
      })
      push(stream, 'retry: 3000\n\n')
      desks.add(stream)
      stream.readable.once('close', () => {
        desks.delete(stream)
        if (desks.size === 0) feed.reset()
        // If the database is unavailable, the row expires.
        db.transaction((tx) => agents.closeDesk(tx, stream.id)).catch(() => {})
      })
      try {
        await db.transaction(async (tx) => {
          await agents.openDesk(tx, stream.id, agent.uid, deskUntil())
          await recordFollowing(tx, context, { caller: agent, ip })
        })
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
      counting.stop()
      for (const stream of all()) end(stream)
      await listener.stop()
    },
  }
}
