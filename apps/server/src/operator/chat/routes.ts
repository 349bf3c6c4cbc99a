import { Readable } from 'node:stream'
import { AppError, type Lang } from '@tidenet/contract'
import { refusal } from '@tidenet/daemon'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { adopt } from './adopt.ts'
import { openAtDesk, openOwn } from './attachments.ts'
import { listCanned, removeCanned, saveCanned } from './canned.ts'
import { showCustomer } from './customer-panel.ts'
import { type Position, readPosition } from './customer-streams.ts'
import { customerOf, newVisitorToken, visitorOf } from './customers.ts'
import * as desk from './desk.ts'
import { createLive } from './live.ts'
import * as service from './service.ts'

const RETRY_AFTER_SECONDS = 30

/** The support chat, for customers and for agents. */
export function serveChat(serving: ServerServing, context: Context): void {
  const live = createLive(context)
  serving.app.addHook('onReady', () => live.start())
  // Open streams would keep the server from closing.
  serving.app.addHook('preClose', () => live.stop())

  serveModule(serving, 'chat', {
    start: () => ({ visitor: newVisitorToken(context) }),
    state: ({ visitor }, { caller }) => {
      const customer = customerOf(context, caller, visitor)
      const earlier = customer.member && visitor ? visitorOf(context, visitor) : undefined
      return service.readState(context, customer, earlier)
    },
    messages: ({ visitor, ...page }, { caller }) =>
      service.listMessages(context, customerOf(context, caller, visitor), page),
    send: ({ visitor, ...input }, { caller, ip, lang }) =>
      service.sendMessage(context, customerOf(context, caller, visitor), input, { ip, lang }),
    attachment: ({ visitor, id, receipt_key: receiptKey }, { caller }) =>
      openOwn(context, customerOf(context, caller, visitor), id, { receiptKey }),
    read: ({ visitor, seq }, { caller }) => service.markRead(context, customerOf(context, caller, visitor), seq),
    email: ({ visitor, email }, { caller }) => service.setEmail(context, customerOf(context, caller, visitor), email),
    rate: ({ visitor, ...input }, { caller }) => service.rate(context, customerOf(context, caller, visitor), input),
    adopt: async ({ visitor }, { caller }) => ({
      adopted: await adopt(context, customerOf(context, caller, undefined), visitorOf(context, visitor)),
    }),
    export: ({ visitor }, { caller, reply }) =>
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="support-chat.json"')
        .send(Readable.from(service.exportConversation(context, customerOf(context, caller, visitor)))) as never,
    async remove({ visitor }, { caller }) {
      await service.removeConversation(context, customerOf(context, caller, visitor))
      return {}
    },
    async events({ visitor, conversation, after }, { caller, ip, lang, request, reply }) {
      const given = after === undefined ? undefined : { conversation: conversation ?? '', seq: after }
      const last = lastEventId(request) ?? given
      const stream = await live.listenAsCustomer(customerOf(context, caller, visitor), last, ip)
      return sendStream(reply, stream, lang) as never
    },
  })

  serveModule(serving, 'chatDesk', {
    list: (input, operator) => desk.listConversations(context, operator, input),
    conversation: (input, operator) => desk.showConversation(context, operator, input),
    customer: ({ id }, operator) => showCustomer(context, operator, id),
    send: (input, operator) => desk.answer(context, operator, input),
    attachment: ({ receipt_key: receiptKey, ...input }, operator) =>
      openAtDesk(context, operator, input, { receiptKey }),
    note: (input, operator) => desk.addNote(context, operator, input),
    take: ({ id }, operator) => desk.take(context, operator, id),
    assign: (input, operator) => desk.assign(context, operator, input),
    close: ({ id }, operator) => desk.setState(context, operator, id, 'closed'),
    reopen: ({ id }, operator) => desk.setState(context, operator, id, 'open'),
    agents: () => desk.listAgents(context),
    canned: () => listCanned(context),
    saveCanned: (input, operator) => saveCanned(context, operator, input),
    removeCanned: ({ id }, operator) => removeCanned(context, operator, id),
    events: async (_, { caller, ip, lang, reply }) =>
      sendStream(reply, await live.listenAtDesk(caller, ip), lang) as never,
  })
}

/** What the browser sends when it reconnects. */
function lastEventId({ headers }: FastifyRequest): Position | undefined {
  const text = headers['last-event-id']
  return typeof text === 'string' ? readPosition(text) : undefined
}

function sendStream(reply: FastifyReply, stream: Readable | undefined, lang: Lang): FastifyReply {
  if (!stream)
    return reply
      .code(429)
      .header('retry-after', RETRY_AFTER_SECONDS)
      .send(refusal(new AppError('tooManyRequests', { seconds: RETRY_AFTER_SECONDS }), lang))
  // Tell nginx not to buffer the stream.
  return reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(stream)
}
