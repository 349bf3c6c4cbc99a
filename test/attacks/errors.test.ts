import {
  contract,
  type ErrorKey,
  errors,
  errorText,
  type Facts,
  type Input,
  type Lang,
  type OperationName,
  type RouteOf,
} from '@tidenet/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestEnv, type TestEnv as NodeTestEnv } from '../../apps/node/src/test-env.fixture.ts'
import { NO_SPEECH } from '../../apps/server/src/compute/speech/config.ts'
import { readProviders } from '../../apps/server/src/identity/external-sign-in/providers.ts'
import {
  type SamplePartner,
  startSamplePartner,
} from '../../apps/server/src/payments/exchange/sample-exchange.fixture.ts'
import { type OrdersEnv, setupOrders } from '../../apps/server/src/payments/orders/sample-orders.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { accountRefusals } from './account-refusals.ts'
import { chatRefusals } from './chat-refusals.ts'
import { clusterRefusals } from './cluster-refusals.ts'
import { contentRefusals } from './content-refusals.ts'
import { exchangeRefusals } from './exchange-refusals.ts'
import { guestRefusals } from './guest-refusals.ts'
import { importRefusals } from './import-refusals.ts'
import { keyRefusals } from './key-refusals.ts'
import { nodeRefusals } from './node-refusals.ts'
import { orderRefusals } from './order-refusals.ts'
import { cn, newNetwork, type Provoke, type Refused, unknownCid } from './refused.ts'
import { secondFactorRefusals } from './second-factor-refusals.ts'
import { speechRefusals } from './speech-refusals.ts'
import { teamRefusals } from './team-refusals.ts'
import { vaultRefusals } from './vault-refusals.ts'

/** Every error of the catalogue can be provoked: by a call to the server, by a request to a node, or on the page for dead links. */

let env: TestEnv
let orders: OrdersEnv
let nodes: NodeTestEnv
let partner: SamplePartner
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup({
    speech: { ...NO_SPEECH, url: 'http://127.0.0.1:9' },
    s3GatewaySecret: 'g'.repeat(64),
    signInProviders: readProviders(
      JSON.stringify([{ id: 'closed', name: 'Closed', issuer: 'http://127.0.0.1:9', clientId: 'tidenet' }]),
      {},
    ),
  })
  orders = await setupOrders()
  partner = await startSamplePartner()
  orders.context.config.exchange = partner.config
  nodes = await createTestEnv()
  node = await env.node()
})
afterAll(async () => {
  await env.close()
  await orders?.close()
  await partner?.stop()
  await nodes.stop()
})

const lead = { kind: 'contact', name: 'Ann', email: 'ann@mail.test', text: 'Hello' } as const
const raw = async (options: InjectOptions) =>
  (await env.app.inject({ ...options, headers: { lang: 'cn', ...options.headers } })).json() as Refused

const operate = async <N extends OperationName>(name: N, input: Input<RouteOf<N>>) => {
  const { token } = await env.person({ role: 'operator' })
  return env.call(name, input, { ...cn, token })
}

/** Answered before there is a request, so always in English; see `refusals.routes.test.ts` of the server. */
const BROKEN = ['requestMalformed', 'headersTooLarge', 'requestSlow'] as const

/** Only programs get it, which send an API key in the header Authorization; see `mcp.routes.test.ts` and `pins.routes.test.ts`. */
const OF_PROGRAMS = ['keyMissing'] as const

const provoke: Record<
  Exclude<ErrorKey, 'shareDownloadsExceeded' | (typeof BROKEN)[number] | (typeof OF_PROGRAMS)[number]>,
  Provoke
> = {
  unauthorized: () => env.call('accounts.info', {}, cn),
  sessionExpired: () => env.call('accounts.info', {}, { ...cn, token: 'a.b.c' }),
  accountLocked: async (as, person) => {
    await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where id = ${person.id}`)
    return env.call('accounts.info', {}, as)
  },
  ...secondFactorRefusals(() => env),
  ...clusterRefusals(() => env),
  ...guestRefusals(() => env),
  ...chatRefusals(() => env, operate),
  ...vaultRefusals(() => env),
  ...importRefusals(() => env),
  ...speechRefusals(() => env),
  ...exchangeRefusals(
    () => orders,
    () => partner,
  ),
  ...accountRefusals(() => env, raw),
  ...contentRefusals(
    () => env,
    () => node,
  ),
  ...teamRefusals(() => env),
  ...nodeRefusals(() => nodes),
  ...orderRefusals(
    () => orders,
    () => env,
  ),
  operatorSecondFactor: async () => {
    const strict = await setup({ environment: 'production', smtpUrl: 'smtp://127.0.0.1:9' })
    try {
      const { token } = await strict.person({ role: 'operator' })
      return await strict.call('admin.overview', {}, { ...cn, token })
    } finally {
      await strict.close()
    }
  },
  ownAccount: async () => {
    const { uid, token } = await env.person({ role: 'operator' })
    return env.call('admin.lock', { uid, reason: 'x' }, { ...cn, token })
  },
  reasonMissing: (_, { uid }) => operate('admin.lock', { uid, reason: ' ' }),
  planOfRole: async () => {
    const { uid } = await env.person({ role: 'test' })
    return operate('admin.setVip', { uid, vip: true, reason: 'x' })
  },
  testQuota: async () => {
    const { uid } = await env.person({ role: 'test' })
    return operate('admin.setQuotas', { uid, storage: 10 ** 12, outflow: null, reason: 'x' })
  },
  mailTextGone: async () => {
    const { id } = await env.db.one<{ id: number }>(sql`
      insert into mails (recipient, subject, body_text, body_html, created_at)
      values ('a@mail.test', 's', '', '', ${new Date(env.clock.now())}) returning id`)
    return operate('admin.mailResend', { id })
  },
  notFound: async (as) => env.call('shares.get', { cid: await unknownCid() }, as),
  invalidParams: (as) => env.call('assets.list', { page_size: 1000 }, as),
  contactNameMissing: () => env.call('leads.create', { ...lead, name: ' ' }, newNetwork()),
  textMissing: () => env.call('leads.create', { ...lead, text: ' ' }, newNetwork()),
  textTooLong: () => env.call('leads.create', { ...lead, text: 'x'.repeat(100_000) }, newNetwork()),
  nameMissing: (as) => env.call('folders.create', { name: ' ' }, as),
  nameTooLong: (as) => env.call('folders.create', { name: 'x'.repeat(51) }, as),
  nameForbidden: (as) => env.call('folders.create', { name: 'a/b' }, as),
  fileAndFolder: async (as) =>
    env.call('folders.rename', { new_name: 'x', group_id: 1, asset_cid: await unknownCid() }, as),
  tooManyAreas: () => env.call('tempFiles.uploadInfo', { area_id: ['A', 'B', 'C', 'D'] }, newNetwork()),
  shortPassFormat: async (as) => env.call('shares.create', { cid: await unknownCid(), short_pass: 'x' }, as),
  expiryPast: async (as) => env.call('shares.create', { cid: await unknownCid(), expire_time: 1 }, as),
  badCid: (as) => env.call('assets.rename', { asset_cid: 'x', new_name: 'x' }, as),

  bodyNotJson: () =>
    raw({ method: 'POST', url: '/api/v1/user/login', payload: '{', headers: { 'content-type': 'application/json' } }),
  bodyTooLarge: () => raw({ method: 'POST', url: '/api/v1/user/login', payload: { username: 'x'.repeat(2_000_000) } }),
  bodyKind: () =>
    raw({ method: 'POST', url: '/api/v1/user/login', payload: 'x', headers: { 'content-type': 'application/xml' } }),
  badAddress: () => raw({ url: '/api/v1/storage/%E0%A4%A' }),
  tooManyRequests: async () => {
    const remoteAddress = newNetwork().ip
    const url = '/api/v1/storage/temp_file/get_upload_file'
    let answer: Refused = {}
    for (let call = 0; call <= 60; call++) answer = await raw({ url, remoteAddress })
    return answer
  },

  userNotFound: async () => {
    const person = await env.person()
    const as = { ...cn, token: person.token }
    // The session is cached before the account is deleted.
    await env.call('accounts.info', {}, as)
    await env.db.run(sql`delete from users where id = ${person.id}`)
    return env.call('accounts.info', {}, as)
  },
  unavailable: async () => {
    const gone = await setup()
    try {
      await gone.db.close()
      return await gone.call('network.onlineDevices', {}, cn)
    } finally {
      await gone.close()
    }
  },
  internal: async (as) => {
    await env.db.run(sql`alter table traces rename to away`)
    try {
      return await env.call('traces.list', {}, as)
    } finally {
      await env.db.run(sql`alter table away rename to traces`)
    }
  },

  ...keyRefusals(() => env),
  tooManyWebhooks: async (as) => {
    const webhook = { name: 'w', url: 'https://hooks.example.org', events: ['order.status' as const] }
    for (let each = 0; each < 10; each++) await env.call('webhooks.create', webhook, as)
    return env.call('webhooks.create', webhook, as)
  },
  webhookUnknown: (as) => env.call('webhooks.remove', { id: 1_000_000 }, as),
  webhookUrl: (as) =>
    env.call('webhooks.create', { name: 'w', url: 'ftp://hooks.example.org', events: ['order.status'] }, as),
  webhookEvents: (as) => env.call('webhooks.create', { name: 'w', url: 'https://hooks.example.org', events: [] }, as),
  webhookDisabled: async (as) => {
    const webhook = { name: 'w', url: 'https://hooks.example.org', events: ['order.status' as const] }
    const { id } = (await env.call('webhooks.create', webhook, as)).data
    await env.call('webhooks.change', { id, enabled: false }, as)
    return env.call('webhooks.replay', { id }, as)
  },
}

/** Facts of errors whose text computes with them, as provoked here. */
const CALCULATED: Partial<Record<ErrorKey, Facts>> = {
  nodeClock: { ahead: -3600 },
  keyPermission: { permission: 'createFile' },
  keyTraffic: { free: 1 },
  tooManyEdges: { max: 20, seconds: 24 * 3600 },
  tooManyCertificates: { max: 3, seconds: 24 * 3600 },
}

/** The text of an error as a pattern for any facts. */
function pattern(key: ErrorKey, lang: Lang): RegExp {
  const MARK = 7777 * 1048576
  const facts = CALCULATED[key] ?? (new Proxy({}, { get: () => MARK }) as Facts)
  const text = errorText(key, lang, facts).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${text.replaceAll(String(MARK), '.*').replaceAll('7777', '.*')}$`, 's')
}

describe('an error of the catalogue', () => {
  it.each(Object.entries(provoke))('can be provoked: %s', async (name, provokeError) => {
    const key = name as ErrorKey
    const person = await env.person()
    const answer = await provokeError({ ...cn, token: person.token }, person)
    expect(answer.msg).toMatch(pattern(key, 'cn'))
    if (answer.code === 401) return
    expect(answer).toMatchObject({ code: -1, err: errors[key].err })
  })

  it('has a unique text in each language', () => {
    for (const lang of ['en', 'cn'] as const) {
      const texts = (Object.keys(errors) as ErrorKey[]).map((key) => pattern(key, lang).source)
      expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
    }
    for (const key of Object.keys(errors) as ErrorKey[]) {
      expect(pattern(key, 'cn').source).toMatch(/\p{Script=Han}/u)
      expect(pattern(key, 'en').source).not.toMatch(/\p{Script=Han}/u)
    }
  })

  it('is declared at most once by an operation', () => {
    for (const [module, operations] of Object.entries(contract))
      for (const [name, { errors: declared }] of Object.entries(operations)) {
        const keys = declared as readonly string[]
        expect([module, name, keys.filter((key, index) => !(key in errors) || keys.indexOf(key) !== index)]).toEqual([
          module,
          name,
          [],
        ])
      }
  })

  it('that no call provokes is shown by the page for dead links', () => {
    const met = new Set([...Object.keys(provoke), ...BROKEN, ...OF_PROGRAMS])
    expect(Object.keys(errors).filter((key) => !met.has(key))).toEqual(['shareDownloadsExceeded'])
    expect([errors.shareDownloadsExceeded.err, errors.tokenRejected.err]).toEqual([10011, 10012])
  })
})
