import { contract, errors, type Role, type Route } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { answers, startEngine, TWO } from '../../apps/server/src/compute/speech/speech.fixture.ts'
import { closeReceivers, receiver } from '../../apps/server/src/identity/webhooks/receiver.fixture.ts'
import { type ExchangeEnv, setupExchange } from '../../apps/server/src/payments/exchange/sample-exchange.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import type { Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { type ServiceCall, serviceCalls } from './service-calls.ts'

/** Every call of the services with somebody else's items, repeated, with too much, and a hundred times at once. */

let exchange: ExchangeEnv
let env: TestEnv
let engine: Awaited<ReturnType<typeof startEngine>>
let target: Awaited<ReturnType<typeof receiver>>
const people = {} as Record<'agent' | 'operator', Person>
beforeAll(async () => {
  exchange = await setupExchange()
  env = exchange.base
  engine = await startEngine()
  engine.behave(answers(TWO))
  env.context.config.speech = engine.config
  await env.node()
  for (const role of ['agent', 'operator'] as const) people[role] = await env.person({ role })
})
beforeEach(async () => {
  target = await receiver()
})
afterEach(closeReceivers)
afterAll(async () => {
  await exchange?.close()
  await engine?.close()
})

const calls = serviceCalls(
  () => env,
  () => target.url,
)
const names = Object.keys(calls) as ServiceCall[]
const routeOf = (name: ServiceCall): Route => {
  const [module, key] = name.split('.') as [keyof typeof contract, string]
  return (contract[module] as Record<string, Route>)[key] as Route
}

let networks = 0
/** A call from a client network of its own, so that no rate limit hides what is tested. */
async function call(name: ServiceCall, input: object, as: { token?: string } = {}) {
  networks += 1
  const answer = await env.call(name, input as never, {
    ...(as.token && { token: as.token }),
    ip: `10.${64 + (networks >> 16)}.${(networks >> 8) & 255}.${networks & 255}`,
  })
  return answer as { code?: number; err?: number; status: number; data?: unknown; msg?: string }
}

/** Speech, third-party replicas and acceleration are those of a VIP plan. */
async function prepared(name: ServiceCall) {
  const owner = await env.person({ vip: true })
  const { prepare, by } = calls[name]
  const input = await prepare(owner)
  return { owner, input, caller: by ? people[by] : owner }
}

const TABLES = {
  users: sql`id`,
  webhooks: sql`user_id`,
  webhook_deliveries: sql`(select user_id from webhooks w where w.id = webhook_id)`,
  chat_conversations: sql`user_id`,
  chat_messages: sql`(select user_id from chat_conversations c where c.id = conversation_id)`,
  chat_notes: sql`(select user_id from chat_conversations c where c.id = conversation_id)`,
  speech_tasks: sql`user_id`,
  speech_uses: sql`user_id`,
  speech_parts: sql`(select user_id from speech_tasks s where s.no = task_no)`,
  speech_segments: sql`(select user_id from speech_tasks s where s.no = task_no)`,
  exchanges: sql`user_id`,
  exchange_payments: sql`(select user_id from exchanges e where e.no = exchange_no)`,
  test_coins: sql`user_id`,
  accelerations: sql`user_id`,
  third_party_choices: sql`user_id`,
  vaults: sql`user_id`,
  vault_ways: sql`user_id`,
}
/** Everything that the services store for an account, without times and without counters of calls. */
async function stateOf({ id }: Person): Promise<object> {
  const state: Record<string, unknown> = {}
  for (const [table, owner] of Object.entries(TABLES)) {
    const { rows } = await env.db.pool.query(
      `select to_jsonb(t) as row from ${table} t where ${owner.text} = $1 order by to_jsonb(t)::text`,
      [id],
    )
    state[table] = rows.map(({ row }) =>
      Object.fromEntries(
        Object.entries(row as object).filter(
          ([column]) => !/_at$|_from$|_until$|_count$|^tries$|^waiting_since$/.test(column),
        ),
      ),
    )
  }
  return state
}

describe('with items of another account', () => {
  it.each(names)('%s changes and says nothing, to customers, visitors and API keys', async (name) => {
    const { owner, input } = await prepared(name)
    const stranger = await env.person({ vip: true })
    const roles: Role[] = calls[name].by === 'operator' ? ['agent'] : []
    const strangers = [
      stranger,
      { token: await env.key(stranger, 'admin') },
      {},
      ...(await Promise.all(roles.map((role) => env.person({ role })))),
      // The customer, at the desk and in the operator area.
      ...(calls[name].by ? [owner] : []),
    ]
    const before = await stateOf(owner)
    for (const as of strangers) {
      const answer = await call(name, input, as)
      expect(answer.status).toBeLessThan(500)
      const text = JSON.stringify([answer.data, answer.msg])
      const told = [...text.matchAll(/secret [0-9a-f]{12}/g)].map(([word]) => word)
      // What the stranger sent may be repeated.
      expect(told.filter((word) => !JSON.stringify(input).includes(word))).toEqual([])
      if (calls[name].by) expect(answer.code === 401 || answer.err === errors.forbidden.err).toBe(true)
    }
    expect(await stateOf(owner)).toEqual(before)
  })
})

describe('replayed', () => {
  const repeatable = names.filter((name) => routeOf(name).repeatable || routeOf(name).method === 'GET')
  it.each(repeatable)('%s changes nothing more', async (name) => {
    const { owner, input, caller } = await prepared(name)
    const first = await call(name, input, caller)
    if (!calls[name].fails) expect(first).toMatchObject(routeOf(name).shape === 'raw' ? { status: 200 } : { code: 0 })
    const once = await stateOf(owner)
    for (const _ of [1, 2]) expect((await call(name, input, caller)).status).toBeLessThan(500)
    expect(await stateOf(owner)).toEqual(once)
  })
})

describe('with too much', () => {
  /** Every text is false as a yes or no. */
  const LENIENT = ['on', 'enabled', 'stuck', 'lose_files']
  it.each(names)('%s is refused, whichever field is too large, and changes nothing', async (name) => {
    const { owner, input, caller } = await prepared(name)
    const fields = Object.keys((routeOf(name).input as z.ZodObject).shape ?? {})
    // In a query they are texts.
    const numbers = routeOf(name).method === 'POST' ? [1e300] : []
    const before = await stateOf(owner)
    const accepted: string[] = []
    for (const field of fields.filter((each) => !LENIENT.includes(each)))
      for (const large of ['x'.repeat(100_000), Array.from({ length: 10_000 }, () => 'x'), ...numbers]) {
        const answer = await call(name, { ...input, [field]: large }, caller)
        expect(answer.status).toBeLessThan(500)
        if (answer.code === 0) accepted.push(`${field} ${typeof large}`)
      }
    expect(accepted).toEqual([])
    expect(await stateOf(owner)).toEqual(before)
  })
})

describe('a hundred times at once', () => {
  const changing = names.filter((name) => routeOf(name).method === 'POST')
  it.each(changing)('%s does what one call does, or stops at its limit', async (name) => {
    const { owner, input, caller } = await prepared(name)
    const all = await Promise.all(Array.from({ length: 100 }, () => call(name, input, caller)))
    for (const { status, err } of all) {
      expect(status).toBeLessThan(500)
      expect(err).not.toBe(errors.internal.err)
    }
    // A raw answer has no code.
    const done = all.filter(({ code, status }) => status === 200 && (code ?? 0) === 0).length
    if (!calls[name].fails) expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThanOrEqual(calls[name].most ?? 100)
    const after = await stateOf(owner)
    if (!routeOf(name).repeatable) return
    await call(name, input, caller)
    expect(await stateOf(owner)).toEqual(after)
  })
})
