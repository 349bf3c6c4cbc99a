import { randomBytes, randomUUID } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'
import type { contract, OperationName } from '@tidenet/contract'
import { webhookCalls } from '../../apps/server/src/identity/webhooks/receiver.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { sampleRecipient, sampleVault, sampleWay } from '../../apps/server/src/storage/vault/sample-vault.fixture.ts'
import type { Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Every call of webhooks, chat, speech to text, exchange, third-party replicas, acceleration and vaults, with an item of an account that it is about. */

type CallsOf<M extends keyof typeof contract> = Extract<OperationName, `${M}.${string}`>
/** Streams do not end, and uploads are no JSON: chat.test.ts and speech.test.ts attack them. */
export type ServiceCall =
  | Exclude<
      CallsOf<'webhooks' | 'chat' | 'chatDesk' | 'speech' | 'exchange' | 'thirdParty' | 'acceleration' | 'vault'>,
      'chat.events' | 'chatDesk.events' | 'speech.upload'
    >
  | Extract<OperationName, `admin.exchange${string}` | `admin.thirdPart${string}`>

export interface ServiceAttack {
  /** Makes an item of the owner. @returns the input of a call that is about it */
  prepare(owner: Person): Promise<Record<string, unknown>>
  /** Who makes the call; default: the owner. */
  by?: 'agent' | 'operator'
  /** It is not expected to succeed here: other tests have what it needs. */
  fails?: true
  /** How many of a hundred calls at once succeed at most. */
  most?: number
}

export function serviceCalls(env: () => TestEnv, receiver: () => string): Record<ServiceCall, ServiceAttack> {
  const events = ['asset.uploaded']
  const secret = () => `secret ${randomBytes(6).toString('hex')}`
  const nothing = async () => ({})
  const data = async (name: OperationName, input: object, as: Person) => {
    const answer = await env().call(name, input as never, as)
    if (answer.code !== 0) throw new Error(`${name}: ${answer.msg}`)
    return answer.data as never
  }

  const hook = async (owner: Person): Promise<{ id: number }> => {
    const { id } = await data('webhooks.create', { name: secret(), url: receiver(), events }, owner)
    await webhookCalls(env).emit(owner)
    return { id }
  }
  const conversation = async (owner: Person): Promise<{ id: number; message: string }> => {
    const message = randomUUID()
    await data('chat.send', { id: message, text: secret() }, owner)
    const { id } = await env().db.one<{ id: number }>(
      sql`select id from chat_conversations where user_id = ${owner.id}`,
    )
    return { id, message }
  }
  const closed = async (owner: Person) => {
    const { id } = await conversation(owner)
    await env().db.run(sql`update chat_conversations set state = 'closed', closed_seq = 1 where id = ${id}`)
    return { id }
  }
  const canned = () => ({ name: secret(), text_en: 'Hello', text_cn: '您好' })
  const task = async (owner: Person): Promise<{ id: string }> => {
    const id = randomUUID()
    const { no } = await env().db.one<{ no: number }>(sql`
      insert into speech_tasks (user_id, id, name, language, size, state, day, has_audio, created_at, touched_at)
      values (${owner.id}, ${id}, ${secret()}, 'en', 1, 'complete', now()::date, true, now(), now()) returning no`)
    await env().db.run(sql`
      insert into speech_segments (task_no, index, start_at, end_at, original) values (${no}, 0, 0, 1, ${secret()})`)
    await env().db.run(sql`insert into speech_parts (task_no, start, bytes) values (${no}, 0, ${Buffer.from('x')})`)
    return { id }
  }
  const wallet = async (owner: Person) => {
    await env().db.run(sql`
      insert into wallets (address, kind, user_id, bound_at)
      values (${toBech32('tide', randomBytes(20))}, 'cosmos', ${owner.id}, ${new Date(env().clock.now())})`)
    return {}
  }
  const order = async (owner: Person): Promise<{ id: string; tnt4: string }> => {
    await wallet(owner)
    const { order: made } = (await data('exchange.create', { account: '100001', points: 100 }, owner)) as {
      order: { id: string; tnt4: string }
    }
    return made
  }
  const file = async (owner: Person) => {
    const { cid } = await sampleFile(env().db, owner.id, { name: `${secret()}.txt` })
    return { cid }
  }
  /** The names of its ways are secret. */
  const vault = async (owner: Person) => {
    const made = await sampleVault(env(), owner)
    await env().db.run(sql`update vault_ways set name = ${secret()} where user_id = ${owner.id}`)
    return made
  }
  /** Makes an item that the input does not name. */
  const after =
    (prepare: (owner: Person) => Promise<unknown>, input: Record<string, unknown>) => async (owner: Person) => {
      await prepare(owner)
      return input
    }
  const about = (prepare: (owner: Person) => Promise<{ id: unknown }>, more: Record<string, unknown> = {}) => ({
    prepare: async (owner: Person) => ({ id: (await prepare(owner)).id, ...more }),
  })
  const atDesk = (more?: Record<string, unknown>) => ({ ...about(conversation, more), by: 'agent' as const })

  return {
    'webhooks.create': { prepare: async () => ({ name: secret(), url: receiver(), events }), most: 10 },
    'webhooks.list': { prepare: hook },
    'webhooks.change': about(hook, { name: 'other', enabled: false }),
    'webhooks.rotate': about(hook),
    'webhooks.remove': { ...about(hook), most: 1 },
    'webhooks.test': { ...about(hook), most: 10 },
    'webhooks.deliveries': about(hook),
    'webhooks.replay': { ...about(hook), most: 10 },

    'chat.start': { prepare: nothing },
    'chat.state': { prepare: conversation },
    'chat.messages': { prepare: after(conversation, {}) },
    'chat.send': { prepare: async () => ({ id: randomUUID(), text: secret() }) },
    'chat.attachment': {
      prepare: async (owner) => ({ id: (await conversation(owner)).message }),
      fails: true,
    },
    'chat.read': { prepare: after(conversation, { seq: 1 }) },
    'chat.email': { prepare: after(conversation, { email: '' }) },
    'chat.rate': { prepare: async (owner) => ({ ...(await closed(owner)), id: randomUUID(), rating: 5 }) },
    'chat.adopt': {
      prepare: async () => {
        const { visitor } = (await env().call('chat.start', {})).data
        await env().call('chat.send', { visitor, id: randomUUID(), text: secret() })
        return { visitor }
      },
    },
    'chat.export': { prepare: after(conversation, {}) },
    'chat.remove': { prepare: after(conversation, {}) },

    'chatDesk.list': { prepare: after(conversation, {}), by: 'agent' },
    'chatDesk.conversation': atDesk(),
    'chatDesk.customer': atDesk(),
    'chatDesk.send': {
      prepare: async (owner) => ({ id: (await conversation(owner)).id, message_id: randomUUID(), text: secret() }),
      by: 'agent',
    },
    'chatDesk.attachment': { ...atDesk({ attachment: randomUUID() }), fails: true },
    'chatDesk.note': {
      prepare: async (owner) => ({ id: (await conversation(owner)).id, note_id: randomUUID(), text: secret() }),
      by: 'agent',
    },
    'chatDesk.take': atDesk(),
    'chatDesk.assign': atDesk({ uid: '' }),
    'chatDesk.close': atDesk(),
    'chatDesk.reopen': { ...about(closed), by: 'agent' },
    'chatDesk.agents': { prepare: nothing, by: 'agent' },
    'chatDesk.canned': { prepare: nothing, by: 'agent' },
    'chatDesk.saveCanned': { prepare: async () => canned(), by: 'agent', most: 1 },
    'chatDesk.removeCanned': {
      prepare: async () => ({
        id: (
          await env().db.one<{ id: number }>(
            sql`insert into chat_canned (name, text_en, text_cn) values (${secret()}, 'x', 'x') returning id`,
          )
        ).id,
      }),
      by: 'agent',
    },

    'speech.account': { prepare: nothing },
    'speech.status': about(task),
    'speech.cancel': { ...about(task) },
    'speech.check': { prepare: nothing },
    'speech.list': { prepare: task },
    'speech.transcript': about(task),
    'speech.edit': { ...about(task, { version: 0, changes: [{ index: 0, text: 'other' }] }), most: 1 },
    'speech.rename': about(task, { name: 'other' }),
    'speech.export': about(task, { format: 'txt' }),
    'speech.audio': about(task),
    'speech.removeAudio': about(task),
    'speech.remove': about(task),
    'speech.search': { prepare: after(task, { q: 'secret' }) },

    'exchange.rate': { prepare: nothing },
    'exchange.account': { prepare: async () => ({ account: '100001' }) },
    'exchange.create': {
      prepare: async (owner) => ({ ...(await wallet(owner)), account: '100001', points: 100 }),
      most: 5,
    },
    'exchange.confirm': {
      prepare: async (owner) => {
        const { id, tnt4 } = await order(owner)
        return { id, tnt4 }
      },
    },
    'exchange.hash': about(order, { hash: 'A'.repeat(64) }),
    'exchange.cancel': { ...about(order), most: 1 },
    'exchange.status': about(order),
    'exchange.records': { prepare: after(order, {}) },
    'exchange.testCoins': { prepare: wallet, most: 1 },
    'exchange.wallet': { prepare: wallet },
    'admin.exchanges': { prepare: after(order, {}), by: 'operator' },
    'admin.exchangeTotals': { prepare: nothing, by: 'operator' },
    'admin.exchangeRetry': { ...about(order), by: 'operator', fails: true },
    'admin.exchangeRefund': { ...about(order, { reason: 'x' }), by: 'operator', fails: true },
    'admin.exchangeRate': {
      prepare: async () => ({ usd_per_tnt4: 508, credits_per_usd: 400, discount: 25, reason: 'x' }),
      by: 'operator',
    },

    'thirdParty.list': { prepare: async (owner) => ({ ...(await file(owner)), user_id: owner.uid }) },
    'thirdParty.choice': { prepare: nothing },
    'thirdParty.choose': { prepare: async () => ({ choice: 'all' }) },
    'admin.thirdParties': { prepare: nothing, by: 'operator' },

    'vault.info': { prepare: vault },
    'vault.create': {
      prepare: async () => ({ recipient: sampleRecipient(), ways: [sampleWay('kit'), sampleWay('passphrase')] }),
      most: 1,
    },
    'vault.addWay': {
      prepare: async (owner) => ({ recipient: (await vault(owner)).recipient, way: sampleWay('passphrase') }),
      most: 8,
    },
    'vault.removeWay': {
      prepare: async (owner) => {
        const { recipient } = await vault(owner)
        return data('vault.addWay', { recipient, way: sampleWay('passkey') }, owner)
      },
      most: 1,
    },
    'vault.remove': { prepare: after(vault, {}), most: 1 },

    'acceleration.get': { prepare: file },
    'acceleration.set': { prepare: async (owner) => ({ ...(await file(owner)), on: true, areas: ['Japan'] }) },
    'acceleration.list': { prepare: nothing },
  }
}
