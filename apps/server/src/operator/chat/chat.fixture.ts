import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { ChatConversation, ChatMessage, DeskConversation, DeskMessage, DeskNote } from '@tidenet/contract'
import type { FastifyInstance } from 'fastify'
import type { As, Person, TestEnv } from '../../test-env.fixture.ts'

/** For tests: customers and agents with open streams. */

export interface StreamEvent {
  event: string
  id?: string
  data: Record<string, unknown>
}

export interface Listening {
  answer: Response
  /** Everything that was received. */
  events: StreamEvent[]
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  hangUp(): void
  messages(): (ChatMessage & DeskMessage & { conversation: number })[]
  notes(): DeskNote[]
  /** The last one of the name. */
  last<T = Record<string, unknown>>(event: string): T | undefined
}

export type Customer = { token?: string; visitor?: string }

export function chatCalls(env: () => TestEnv) {
  const open: Listening[] = []
  const listening = new Map<FastifyInstance, Promise<unknown>>()
  const urlOf = async (app: FastifyInstance): Promise<string> => {
    const started = listening.get(app) ?? app.listen({ host: '127.0.0.1', port: 0 })
    listening.set(app, started)
    await started
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }

  async function listen(url: string, init: RequestInit): Promise<Listening> {
    const hangUp = new AbortController()
    const answer = await fetch(url, { ...init, signal: hangUp.signal })
    const events: StreamEvent[] = []
    const read = async () => {
      if (!answer.headers.get('content-type')?.includes('event-stream')) return
      let text = ''
      for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += part
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
          if (fields.event) events.push({ ...fields, data: JSON.parse(fields.data) })
        }
      }
    }
    const stream: Listening = {
      answer,
      events,
      ended: read().catch(() => {}),
      hangUp: () => hangUp.abort(),
      messages: () => events.filter(({ event }) => event === 'message').map(({ data }) => data as never),
      notes: () => events.filter(({ event }) => event === 'note').map(({ data }) => data as never),
      last: (name) => events.findLast(({ event }) => event === name)?.data as never,
    }
    open.push(stream)
    return stream
  }

  return {
    visitor: async (): Promise<{ visitor: string }> => (await env().call('chat.start', {})).data,

    send: async (customer: Customer, text: string, { id = randomUUID() as string, ...as }: As & { id?: string } = {}) =>
      env().call('chat.send', { id, text, ...field(customer) }, { ...as, ...header(customer) }),

    state: async (customer: Customer): Promise<ChatConversation | null> =>
      (await env().call('chat.state', field(customer), header(customer))).data.conversation,

    /** The conversation of a customer as agents see it. */
    async atDesk(agent: Person, customer: Customer): Promise<DeskConversation> {
      const { list } = (await env().call('chatDesk.list', { list: 'all', size: 200 }, agent)).data
      const own = (await env().call('chat.messages', field(customer), header(customer))).data.list[0]
      for (const each of list) {
        const { messages } = (await env().call('chatDesk.conversation', { id: each.id, size: 200 }, agent)).data
        if (messages.some(({ id }) => id === own?.id)) return each
      }
      throw new Error('no conversation')
    },

    answer: async (agent: Person, id: number, text: string, messageId: string = randomUUID()) =>
      env().call('chatDesk.send', { id, message_id: messageId, text }, agent),

    async listen(
      customer: Customer,
      {
        after,
        app = env().app,
        lastEventId,
        conversation,
      }: { after?: number; app?: FastifyInstance; lastEventId?: number; conversation?: string } = {},
    ): Promise<Listening> {
      const known = after ?? lastEventId
      // Clients have the id of the conversation from what they got before.
      const id =
        known === undefined
          ? undefined
          : (conversation ??
            (await env().call('chat.state', field(customer), header(customer))).data.conversation?.id ??
            '')
      return listen(`${await urlOf(app)}/api/v1/chat/events`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(customer.token && { jwtauthorization: `Bearer ${customer.token}` }),
          ...(lastEventId !== undefined && { 'last-event-id': `${id}:${lastEventId}` }),
        },
        body: JSON.stringify({ ...field(customer), after, conversation: id }),
      })
    },

    async atDeskStream(agent: Pick<Person, 'token'>, app = env().app): Promise<Listening> {
      return listen(`${await urlOf(app)}/api/v1/admin/chat/events`, {
        headers: { jwtauthorization: `Bearer ${agent.token}` },
      })
    },

    /** Call it after each test. */
    hangUpAll(): void {
      for (const each of open.splice(0)) each.hangUp()
    },
  }
}

const field = ({ token, visitor }: Customer): { visitor?: string } => (token || !visitor ? {} : { visitor })
const header = ({ token }: Customer): { token?: string } => (token ? { token } : {})
