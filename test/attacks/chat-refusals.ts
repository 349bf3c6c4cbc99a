import { randomUUID } from 'node:crypto'
import {
  CHAT_ATTACHMENT_MAX,
  CHAT_ATTACHMENTS_MAX,
  type Input,
  type OperationName,
  type RouteOf,
} from '@tidenet/contract'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import type { Answer, As, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { cn, type Provoke, type Refused, unknownCid } from './refused.ts'

type Operate = <N extends OperationName>(name: N, input: Input<RouteOf<N>>) => Promise<Answer<unknown> | Refused>

/** Refusals of the support chat. */
export function chatRefusals(env: () => TestEnv, operate: Operate) {
  const send = (as: As) => env().call('chat.send', { id: randomUUID(), text: 'Hello' }, as)
  /** The id of a new conversation. */
  const begin = async (as: As): Promise<number> => {
    await send(as)
    const { token } = await env().person({ role: 'operator' })
    const { list } = (await env().call('chatDesk.list', { list: 'all', size: 1 }, { token })).data
    return list[0]?.id ?? 0
  }
  const canned = { name: 'Hello', text_en: 'Hello', text_cn: '您好' }
  return {
    chatVisitor: () => env().call('chat.state', { visitor: 'x' }, cn),
    chatUnknown: () => operate('chatDesk.close', { id: 1_000_000 }),
    chatNotClosed: async (as) => {
      await send(as)
      return env().call('chat.rate', { id: randomUUID(), rating: 5 }, as)
    },
    chatEmail: async (as) => {
      await send(as)
      return env().call('chat.email', { email: 'other@mail.test' }, as)
    },
    chatAttachmentMissing: async (as) =>
      env().call('chat.send', { id: randomUUID(), text: '', attachment: { cid: await unknownCid(), name: 'a' } }, as),
    chatAttachmentTooLarge: async (as, { uid }) => {
      const [cid, from] = [await unknownCid(), await env().node()]
      const receipt = await from.receipt({ sub: uid, cid, size: CHAT_ATTACHMENT_MAX + 1 })
      await env().call('nodeControl.receipts', { receipts: [receipt] }, from)
      return env().call('chat.send', { id: randomUUID(), text: '', attachment: { cid, name: 'a' } }, as)
    },
    chatAttachmentsFull: async (as, { uid }) => {
      await send(as)
      await env().db.run(sql`
        update chat_messages set attachment = ${JSON.stringify({ size: CHAT_ATTACHMENTS_MAX })}::jsonb
        where conversation_id = (select c.id from chat_conversations c join users u on u.id = c.user_id where u.uid = ${uid})`)
      const attachment = { cid: await unknownCid(), name: 'a' }
      return env().call('chat.send', { id: randomUUID(), text: '', attachment }, as)
    },
    chatTaken: async (as) => {
      const id = await begin(as)
      await operate('chatDesk.take', { id })
      return operate('chatDesk.take', { id })
    },
    chatAgent: async (as) => operate('chatDesk.assign', { id: await begin(as), uid: 'u0' }),
    chatCanned: async () => {
      await operate('chatDesk.saveCanned', canned)
      return operate('chatDesk.saveCanned', canned)
    },
  } satisfies Record<string, Provoke>
}
