import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content'
import {
  CHAT_ATTACHMENT_MAX,
  CHAT_ATTACHMENTS_MAX,
  CHAT_ATTACHMENTS_PER_DAY,
  CHAT_ATTACHMENTS_PER_NETWORK_DAY,
  CHAT_DESK_READS_PER_DAY,
  CHAT_READS_PER_DAY,
  errors,
} from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { releaseAttachments } from '../../storage/attachments/service.ts'
import { type As, clean, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { chatCalls } from './chat.fixture.ts'

let env: TestEnv
let agent: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
// Sessions end while days pass.
beforeEach(async () => {
  agent = await env.person({ role: 'operator' })
})
const { visitor, send, atDesk } = chatCalls(() => env)
afterAll(() => env.close())

const DAY = 86_400_000
const refused = (key: keyof typeof errors) => ({ code: -1, err: errors[key].err })
let networks = 0
/** Ids of the traces of uploads, by CID: only uploaders have them. */
const traces = new Map<string, string>()

/** The CID of a file that was uploaded without an account. */
async function upload({ size = 30, kind = 'file' }: { size?: number; kind?: 'file' | 'folder' } = {}): Promise<string> {
  networks += 1
  const as = { ip: `10.2.${networks}.1` }
  const cid = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
  const info = await env.call('tempFiles.uploadInfo', { size }, as)
  traces.set(cid, info.data.TraceID)
  const { sub, tid } = decodeJwt<{ tid: string }>(info.data.List[0]?.Token as string)
  const receipt = await node.receipt({ sub: sub as string, tid, cid, size, kind })
  await env.call('nodeControl.receipts', { receipts: [receipt] }, node)
  await env.call('tempFiles.create', { asset_name: 'x', asset_cid: cid, asset_size: size }, as)
  return cid
}
const attach = (
  customer: { token?: string; visitor?: string },
  cid: string,
  { trace = traces.get(cid) ?? '', ...more }: { text?: string; as?: As; trace?: string } = {},
) =>
  env.call(
    'chat.send',
    {
      ...(customer.visitor && { visitor: customer.visitor }),
      id: randomUUID(),
      text: more.text ?? '',
      attachment: { cid, name: 'screen.png', password: 'secret', trace_id: trace },
    },
    { ...more.as, ...(customer.token && { token: customer.token }) },
  )
const copies = (cid: string) =>
  env.db.rows(sql`select 1 from replicas where cid = ${cid} and state not in ('removed', 'removing')`)

describe('an attachment', () => {
  it('is a file on the network, which customer and agents can open for longer than an anonymous one', async () => {
    const [customer, cid] = [await visitor(), await upload()]
    const { message } = (await attach(customer, cid)).data
    expect(message).toMatchObject({
      text: '',
      attachment: { cid, name: 'screen.png', size: 30, password: 'secret' },
    })
    env.pass(2 * DAY)
    await clean(env.context)
    expect(await env.call('tempFiles.download', { cid })).toMatchObject(refused('notFound'))
    const id = message.attachment?.id as string
    const own = await env.call('chat.attachment', { ...customer, id })
    expect(own.data.url[0]).toContain(cid)
    agent = await env.person({ role: 'operator' })
    const talk = await atDesk(agent, customer)
    expect(talk.last_text).toBe('screen.png')
    const seen = await env.call('chatDesk.attachment', { id: talk.id, attachment: id }, agent)
    expect(seen.data.url[0]).toContain(cid)
    expect(await copies(cid)).not.toEqual([])
  })

  it('can be sent by agents', async () => {
    const customer = await env.person()
    await send(customer, 'How?')
    const talk = await atDesk(agent, customer)
    const cid = await upload()
    const attachment = { cid, name: 'manual.pdf', trace_id: traces.get(cid) }
    const input = { id: talk.id, message_id: randomUUID(), text: '', attachment }
    expect((await env.call('chatDesk.send', input, agent)).data.message.attachment).toMatchObject({ password: '' })
    const { list } = (await env.call('chat.messages', {}, customer)).data
    const id = list[1]?.attachment?.id as string
    expect((await env.call('chat.attachment', { id }, customer)).code).toBe(0)
  })

  it('is kept once for a repeated message', async () => {
    const [customer, cid] = [await visitor(), await upload()]
    const input = {
      ...customer,
      id: randomUUID(),
      text: 'See',
      attachment: { cid, name: 'a.png', trace_id: traces.get(cid) },
    }
    const sent = await Promise.all(Array.from({ length: 10 }, () => env.call('chat.send', input)))
    expect(new Set(sent.map(({ data }) => data.message.attachment?.id)).size).toBe(1)
    expect(await env.db.rows(sql`select 1 from attachments where cid = ${cid}`)).toHaveLength(1)
  })

  it('moves with an adopted conversation', async () => {
    const [stranger, customer] = [await visitor(), await env.person()]
    const id = (await attach(stranger, await upload())).data.message.attachment?.id as string
    await env.call('chat.adopt', stranger, customer)
    expect((await env.call('chat.attachment', { id }, customer)).code).toBe(0)
    expect(await env.call('chat.attachment', { ...stranger, id })).toMatchObject(refused('notFound'))
  })

  it('is removed from the network with its message, unless somebody else needs it', async () => {
    const [customer, other, cid] = [await visitor(), await env.person(), await upload()]
    await attach(customer, cid)
    await attach(other, cid)
    env.pass(2 * DAY)
    await clean(env.context)
    await env.call('chat.remove', customer)
    await releaseAttachments(env.context)
    expect(await copies(cid)).not.toEqual([])
    await env.db.run(sql`delete from chat_conversations where user_id = ${other.id}`)
    await releaseAttachments(env.context)
    expect(await copies(cid)).toEqual([])
    expect(await env.db.rows(sql`select 1 from attachments where cid = ${cid}`)).toEqual([])
  })
})

describe('refused are', () => {
  it('contents that the sender did not send, files that are too large, and folders', async () => {
    const [customer, owner] = [await visitor(), await env.person()]
    const foreign = (await rawCid(new TextEncoder().encode(randomUUID()))).toString()
    const receipt = await node.receipt({ sub: owner.uid, cid: foreign, size: 30 })
    await env.call('nodeControl.receipts', { receipts: [receipt] }, node)
    const unknown = (await rawCid(new TextEncoder().encode('never uploaded'))).toString()
    for (const cid of [foreign, unknown])
      expect(await attach(customer, cid)).toMatchObject(refused('chatAttachmentMissing'))
    expect(await attach(owner, foreign)).toMatchObject({ code: 0 })
    expect(await attach(customer, 'x')).toMatchObject(refused('badCid'))
    const large = await upload({ size: CHAT_ATTACHMENT_MAX + 1 })
    expect(await attach(customer, large)).toMatchObject(refused('chatAttachmentTooLarge'))
    expect((await env.call('chat.state', customer)).data.conversation).toBeNull()
  })

  it('anonymous files of other visitors, which a message would keep from being deleted', async () => {
    const [victim, own] = [await upload(), await upload()]
    for (const attacker of [await visitor(), await env.person()])
      for (const trace of ['', traces.get(own) as string, 'temp', `temp:${victim}`])
        expect(await attach(attacker, victim, { trace })).toMatchObject(refused('chatAttachmentMissing'))
    const customer = await env.person()
    await send(customer, 'Hello')
    const { id } = await atDesk(agent, customer)
    const attachment = { cid: victim, name: 'a' }
    const input = { id, message_id: randomUUID(), text: '', attachment }
    expect(await env.call('chatDesk.send', input, agent)).toMatchObject(refused('chatAttachmentMissing'))
    expect(await env.db.rows(sql`select 1 from attachments where cid = ${victim}`)).toEqual([])
  })

  it('more downloads than an agent needs', async () => {
    const [customer, cid] = [await visitor(), await upload()]
    const id = (await attach(customer, cid)).data.message.attachment?.id as string
    const talk = await atDesk(agent, customer)
    const [busy, other] = [await env.person({ role: 'operator' }), await env.person({ role: 'operator' })]
    await env.db.run(sql`
      insert into attempts (kind, subject, failed, since, locked_until) values
        ('chat attachment reads', ${`agent ${busy.id}`}, ${CHAT_DESK_READS_PER_DAY - 1}, ${new Date(env.clock.now())}, ${new Date(env.clock.now() + DAY)})`)
    const open = (as: Person) => env.call('chatDesk.attachment', { id: talk.id, attachment: id }, as)
    expect((await open(busy)).code).toBe(0)
    expect(await open(busy)).toMatchObject(refused('tooManyRequests'))
    expect((await open(other)).code).toBe(0)
  })

  it('attachments of other conversations', async () => {
    const [customer, attacker] = [await env.person(), await env.person()]
    const id = (await attach(customer, await upload())).data.message.attachment?.id as string
    await send(attacker, 'Mine?')
    for (const each of [id, randomUUID()])
      expect(await env.call('chat.attachment', { id: each }, attacker)).toMatchObject(refused('notFound'))
    const other = (await atDesk(agent, attacker)).id
    expect(await env.call('chatDesk.attachment', { id: other, attachment: id }, agent)).toMatchObject(
      refused('notFound'),
    )
  })

  it('attachments that together are larger than a conversation can have', async () => {
    const [customer, cid] = [await visitor(), await upload()]
    const { message } = (await attach(customer, cid)).data
    await env.db.run(sql`
      update chat_messages set attachment = jsonb_set(attachment, '{size}', to_jsonb(${CHAT_ATTACHMENTS_MAX - CHAT_ATTACHMENT_MAX}::bigint))
      where id = ${message.id}::uuid`)
    expect((await attach(customer, cid)).code).toBe(0)
    expect(await attach(customer, cid)).toMatchObject(refused('chatAttachmentsFull'))
    expect((await send(customer, 'Without a file')).code).toBe(0)
  })

  it('more attachments than visitors of one network send, and more downloads than a person needs', async () => {
    const [cid, as] = [await upload(), { ip: '10.3.1.1' }]
    const sent = []
    for (let each = 0; each <= CHAT_ATTACHMENTS_PER_NETWORK_DAY / 10; each++) {
      const customer = await visitor()
      for (let file = 0; file < 10; file++) sent.push(await attach(customer, cid, { as }))
    }
    expect(sent.filter(({ code }) => code === 0)).toHaveLength(CHAT_ATTACHMENTS_PER_NETWORK_DAY)
    const reader = await visitor()
    const id = (await attach(reader, cid)).data.message.attachment?.id as string
    for (let each = 0; each < CHAT_READS_PER_DAY; each++)
      expect((await env.call('chat.attachment', { ...reader, id }, { ip: `10.8.${each}.1` })).code).toBe(0)
    expect(await env.call('chat.attachment', { ...reader, id })).toMatchObject(refused('tooManyRequests'))
  })

  it('names and passwords with half characters', async () => {
    const [customer, cid] = [await visitor(), await upload()]
    const half = '\ud800'
    const sent = (name: string, password: string) =>
      env.call('chat.send', {
        ...customer,
        id: randomUUID(),
        text: '',
        attachment: { cid, name, password, trace_id: traces.get(cid) },
      })
    expect(await sent('a', half)).toMatchObject(refused('invalidParams'))
    expect((await sent(`a${half}`, '')).data.message.attachment?.name).toBe('a\ufffd')
  })

  it('more attachments than a person sends', async () => {
    const [customer, cid] = [await env.person(), await upload()]
    const sent = []
    for (let each = 0; each < CHAT_ATTACHMENTS_PER_DAY + 2; each++) sent.push(await attach(customer, cid))
    expect(sent.map(({ code }) => code)).toEqual([...Array(CHAT_ATTACHMENTS_PER_DAY).fill(0), -1, -1])
  })
})
