import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import {
  CODES_PER_NETWORK_DAY,
  contract,
  EDGES_PER_NETWORK_DAY,
  type Input,
  type NodeKind,
  nodeIdOf,
  type OperationName,
  type Output,
  type Permission,
  REPLICA_TARGET,
  type ReceiptClaims,
  type Role,
  type RouteOf,
  receiptClaims,
  relayedText,
  sentText,
  TESTNET_FACTOR,
} from '@tidenet/contract'
import { type Clock, createLogger } from '@tidenet/daemon'
import { SignJWT } from 'jose'
import pg from 'pg'
import { createApp } from './app.ts'
import { clustersOf } from './compute/clusters/clusters.ts'
import { NO_CLUSTERS } from './compute/clusters/config.ts'
import { NO_INGRESS } from './compute/ingress/config.ts'
import { NO_SPEECH } from './compute/speech/config.ts'
import { workspaces } from './compute/workspaces/offer.ts'
import { type Config, loadConfig } from './config.ts'
import { features } from './features.ts'
import { openSession } from './identity/sessions/tokens.ts'
import { NO_NAMES } from './network/names/config.ts'
import { nodeToken } from './network/nodes/node-session.ts'
import { DEFENDED } from './network/policy.ts'
import { chainOf } from './payments/chain/chain.ts'
import { NO_CHAIN } from './payments/chain/config.ts'
import { NO_EXCHANGE } from './payments/exchange/config.ts'
import { createDb, type Db } from './platform/db/db.ts'
import { migrate } from './platform/db/migrate.ts'
import { sql } from './platform/db/sql.ts'
import { deriveKeys } from './platform/keys.ts'
import { hashToken } from './platform/token-hash.ts'
import type { Context } from './portal/context.ts'
import { demand } from './storage/contents/demand.ts'
import { insertGrant } from './storage/grants/repository.ts'
import { NO_THIRD_PARTY } from './storage/third-party/config.ts'
import { openTrace } from './storage/traces/service.ts'

/** Links without configuration. */
export const NO_LINKS = loadConfig({ DATABASE_URL: 'postgresql://unused', TIDENET_SECRET: '0'.repeat(64) }).links

/** For tests: the real app with a new database in a real PostgreSQL. */

export interface Answer<T> {
  code: number
  err?: number
  msg?: string
  data: T
  status: number
  headers: Record<string, unknown>
}

export interface Person {
  id: number
  uid: string
  email: string
  token: string
}

export interface As {
  /** A session token or an API key. */
  token?: string | undefined
  /** The uid of a team for which the person acts. */
  team?: string
  lang?: 'cn' | 'en'
  ip?: string
  agent?: string
  method?: 'GET' | 'POST'
}

export type TestEnv = Awaited<ReturnType<typeof setup>>

/** Inserts the upload grant of a receipt, if its account has opened the trace. */
async function insertGrantFor(db: Db, claims: ReceiptClaims, at: Date): Promise<void> {
  const issued = { ...claims, iat: 0 }
  const trace = sql`select 1 from traces where id = ${claims.tid} and account = ${claims.sub} and kind = 'upload'`
  if (!receiptClaims.safeParse(issued).success || !(await db.maybe(trace))) return
  await insertGrant(db, {
    traceId: claims.tid,
    account: claims.sub,
    userId: null,
    network: null,
    kind: claims.kind,
    cid: null,
    max: claims.size,
    size: null,
    nodes: [claims.iss],
    tokens: [claims.jti],
    reserved: 0,
    openUntil: null,
    at,
  })
}

/** Advances by one millisecond per read and by what a test adds, so that results do not depend on the machine's speed. */
function steadyClock(): Clock & { move(offsetMs: number): void } {
  const start = Date.now()
  let offset = 0
  let reads = 0
  return {
    now: () => start + offset + reads++,
    move(ms) {
      offset = ms
    },
  }
}

/**
 * Creates an environment; close it in `afterAll`. Needs `TIDENET_TEST_DATABASE`, the URL of a user who may create databases. The database is
 * a copy of `TIDENET_TEST_TEMPLATE`, which is faster than running the migrations.
 */
export async function setup(overrides: Partial<Config> = {}) {
  const admin = process.env.TIDENET_TEST_DATABASE
  if (!admin) throw new Error('TIDENET_TEST_DATABASE is not set: run these tests with `npm run routes`')
  const name = `t_${randomBytes(8).toString('hex')}`
  const root = new pg.Client({ connectionString: admin })
  await root.connect()
  await root.query(
    `create database ${name} template ${process.env.TIDENET_TEST_TEMPLATE ?? 'template1'} strategy file_copy`,
  )
  const url = new URL(admin)
  url.pathname = `/${name}`

  const config: Config = {
    environment: 'test',
    pace: 'quick',
    host: '127.0.0.1',
    port: 0,
    data: '',
    databaseUrl: url.href,
    publicUrl: 'http://portal.test',
    roles: ['api'],
    secret: randomBytes(32),
    joinToken: 'join',
    smtpUrl: '',
    mailFrom: 'Tidenet <no-reply@portal.test>',
    trustProxy: '',
    codesPerNetwork: CODES_PER_NETWORK_DAY,
    wrongPasswordsPerNetwork: 1000,
    logLevel: 'silent',
    privateNodes: true,
    privateWebhooks: true,
    edgesPerNetwork: EDGES_PER_NETWORK_DAY,
    countryDatabase: '',
    replicas: REPLICA_TARGET,
    operatorMail: '',
    servicesHost: '',
    chainPrefix: 'tide',
    chain: NO_CHAIN,
    exchange: NO_EXCHANGE,
    guestWorkspaces: 0,
    priceFactor: TESTNET_FACTOR,
    anchorAddresses: [],
    formerReceiptKeys: [],
    clusters: NO_CLUSTERS,
    speech: NO_SPEECH,
    ingress: NO_INGRESS,
    names: NO_NAMES,
    thirdParty: NO_THIRD_PARTY,
    imports: { ipfsSources: [], privateToo: true },
    outboundHosts: [],
    s3GatewaySecret: '',
    signInProviders: [],
    links: NO_LINKS,
    executables: '',
    s3Url: '',
    ipfsUrl: '',
    ...overrides,
  }
  const clock = steadyClock()
  const log = createLogger('test', config.logLevel)
  const db = createDb(config.databaseUrl, { max: 8, log })
  await migrate(db)
  const context: Context = {
    config,
    db,
    clock,
    databaseTime: () => Promise.resolve(clock.now()),
    keys: await deriveKeys(config.secret),
    log,
    chain: chainOf(config.chain),
    clusters: clustersOf([]),
    workspaces,
    demand,
    policy: DEFENDED,
    portalUrl: () => config.publicUrl,
  }
  const app = await createApp(context)
  await app.ready()
  let offset = 0
  let people = 0

  return {
    context,
    app,
    db,
    clock,
    /** Advances the clock. */
    pass(ms: number) {
      offset += ms
      clock.move(offset)
    },
    /** Nodes that are not offline sent all their heartbeats until now. */
    heard: () =>
      db.transaction(async (tx) => {
        const at = new Date(clock.now())
        await tx.run(sql`alter table nodes disable trigger node_presence_gap`)
        await tx.run(sql`update nodes set seen_at = ${at} where status <> 'offline' and seen_at < ${at}`)
        await tx.run(sql`alter table nodes enable trigger node_presence_gap`)
      }),
    async call<N extends OperationName>(
      operation: N,
      input: Input<RouteOf<N>>,
      as: As = {},
    ): Promise<Answer<Output<RouteOf<N>>>> {
      const [duty, key] = operation.split('.') as [keyof typeof contract, string]
      const route = (contract[duty] as Record<string, { method: 'GET' | 'POST'; path: string; auth: string }>)[key]
      if (!route) throw new Error(`no operation ${operation}`)
      const method = as.method ?? route.method
      const fields: Record<string, unknown> = { ...(input as object) }
      const path = route.path.replace(/:(\w+)/g, (_, field: string) => {
        const value = encodeURIComponent(String(fields[field]))
        delete fields[field]
        return value
      })
      const query = new URLSearchParams()
      if (method === 'GET')
        for (const [field, value] of Object.entries(fields))
          for (const item of Array.isArray(value) ? value : [value])
            if (item !== undefined) query.append(field, String(item))
      const answer = await app.inject({
        method,
        url: `${path}${query.size > 0 ? `?${query}` : ''}`,
        ...(method === 'POST' && { payload: fields }),
        remoteAddress: as.ip ?? '127.0.0.1',
        headers: {
          'user-agent': as.agent ?? 'test',
          ...(as.token &&
            (route.auth === 'node' || route.auth === 'console' || route.auth === 'gateway'
              ? { authorization: `Bearer ${as.token}` }
              : { jwtauthorization: `Bearer ${as.token}` })),
          ...(as.team && { team: as.team }),
          ...(as.lang && { lang: as.lang }),
        },
      })
      const body = answer.headers['content-type']?.toString().includes('json') ? answer.json() : { data: answer.body }
      return { ...body, status: answer.statusCode, headers: answer.headers }
    },
    /** A new account with a session. */
    async person(
      more: { vip?: boolean; role?: Role; storageQuota?: number; downloadQuota?: number } = {},
    ): Promise<Person> {
      people += 1
      const email = `person${people}@mail.test`
      const uid = `u${randomBytes(6).toString('hex')}`
      const { id } = await db.one<{ id: number }>(sql`
        insert into users (uid, email, vip, role, storage_quota, outflow_quota, created_at)
        values (${uid}, ${email}, ${more.vip ?? false}, ${more.role ?? 'user'}, ${more.storageQuota ?? null}, ${more.downloadQuota ?? null}, ${new Date(clock.now())}) returning id`)
      const { token } = await openSession(context, db, { id, uid }, { ip: '127.0.0.1', agent: 'test' })
      return { id, uid, email, token }
    },
    /** An API key of an account, limited to `folders`. */
    async key(person: Person, permissions: readonly Permission[] | 'admin', folders?: number[]): Promise<string> {
      const key = `tnk_${randomBytes(32).toString('base64url')}`
      await db.run(sql`
        insert into api_keys (user_id, name, key_hash, key_start, secret_hash, kind, perms, folders, created_at)
        values (${person.id}, ${randomUUID()}, ${hashToken(key)}, ${key.slice(0, 8)}, ${hashToken(randomUUID())},
          ${permissions === 'admin' ? 'admin' : 'normal'}, ${permissions === 'admin' ? [] : permissions}, ${folders ?? null}, ${new Date(clock.now())})`)
      return key
    },
    /** An online, reachable node with its token, in a network of its own; an edge is new unless it is `vetted`. */
    async node(
      more: {
        kind?: NodeKind
        area?: string
        free?: number
        url?: string
        status?: string
        vetted?: boolean
        network?: string
        address?: string
        owner?: Person
      } = {},
    ) {
      const kind = more.kind ?? 'candidate'
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const publicText = publicKey.export({ format: 'jwk' }).x as string
      const id = nodeIdOf(kind, createHash('sha256').update(Buffer.from(publicText, 'base64url')).digest('hex'))
      const free = more.free ?? 10 ** 12
      const at = new Date(clock.now())
      await db.run(sql`
        insert into nodes (id, public_key, kind, name, area_id, url, ip, latitude, longitude, version, cpu_cores, memory, capacity, free,
          status, reachable, reachable_at, seen_at, created_at, network, address, vetted_at, owner_id, linked_at)
        values (${id}, ${publicText}, ${kind}, ${id.slice(0, 8)}, ${more.area ?? 'Europe-Germany-Hesse-Frankfurt'}, ${more.url ?? 'http://127.0.0.1:9'},
          '127.0.0.1', 50, 8, '1', 2, 1000000, ${free}, ${free}, ${more.status ?? 'online'}, true, ${at}, ${at}, ${at}, ${more.network ?? ''}, ${more.address ?? ''}, ${more.vetted ? at : null},
          ${more.owner?.id ?? null}, ${more.owner ? at : null})`)
      return {
        id,
        kind,
        token: await nodeToken(context, id),
        /** Its signature of bytes that it sent. */
        sentSignature: (trace: string, cid: string, bytes: number): string =>
          sign(null, Buffer.from(sentText(trace, id, cid, bytes)), privateKey).toString('base64url'),
        /** Its signature of bytes that a relay passed on, as that relay or as the device. */
        relayedSignature: (session: string, relay: string, device: string, bytes: number): string =>
          sign(null, Buffer.from(relayedText(session, relay, device, bytes)), privateKey).toString('base64url'),
        /** The node's receipt for an upload. Its grant exists if the account has opened the trace. */
        async receipt(claims: Partial<ReceiptClaims> & { sub: string; cid: string; size: number }): Promise<string> {
          const tid =
            claims.tid ?? (await openTrace(db, { account: claims.sub, kind: 'upload', cid: '', name: '', at }))
          const payload = { typ: 'stored', tid, jti: randomUUID(), kind: 'file', blocks: 1, ...claims } as ReceiptClaims
          await insertGrantFor(db, { ...payload, iss: id }, at)
          return new SignJWT({ ...payload })
            .setProtectedHeader({ alg: 'EdDSA' })
            .setIssuer(claims.iss ?? id)
            .setIssuedAt(Math.floor(clock.now() / 1000))
            .sign(privateKey)
        },
      }
    },
    async close() {
      await app.close()
      await db.close()
      await root.query(`drop database if exists ${name} with (force)`)
      await root.end()
    },
  }
}

/** Runs the tasks that delete expired assets, anonymous files, reservations and gone edges. */
export async function clean(context: Context): Promise<void> {
  const signal = new AbortController().signal
  for (const { name, run } of features.flatMap(({ tasks = [] }) => tasks))
    if (['end-assets', 'purge', 'end-temp-files', 'end-reservations', 'gone-edges'].includes(name))
      await run(context, signal)
}
