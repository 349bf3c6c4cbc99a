// Authentication of a call among 100,000 sessions, on the first call with a token and within half a second afterwards; and sign-ins per
// second, by password compared with only the hash, by wallet compared with only the signature.
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createNetwork } from '@tidenet/testnet'
import { hashPassword, verifyPassword } from '../apps/server/dist/identity/accounts/passwords.js'
import { signIn } from '../apps/server/dist/identity/entry/sign-in.js'
import { createAuthenticate } from '../apps/server/dist/identity/sessions/authenticate.js'
import { signingKey } from '../apps/server/dist/identity/sessions/session-keys.js'
import { readToken, rotate } from '../apps/server/dist/identity/sessions/tokens.js'
import { readAddress, readProof } from '../apps/server/dist/identity/wallets/proofs.js'
import { issueSignInMessage } from '../apps/server/dist/identity/wallets/sign-in-messages.js'
import { createDb } from '../apps/server/dist/platform/db/db.js'
import { deriveKeys } from '../apps/server/dist/platform/keys.js'
import { loadFixture } from '../tools/load-fixture.mjs'
import { cpuOf, median, processTree, report, sample } from './measure.mjs'
import { query } from './people.mjs'

const { cosmosWallet, evmWallet } = await loadFixture('apps/server/src/identity/wallets/sample-wallets.fixture.ts')

const SESSIONS = 100_000
const PEOPLE = 10_000
const TOKENS = 8000
const AT_ONCE = 16
const ROUNDS = 5
/** How often all sessions call in turn. */
const CYCLES = 2
const PASSWORD = 'b3nch-Mark!'
const SIGN_INS = 64

/** Runs `work` for each item, `atOnce` at a time; returns total ms per item. */
async function each(list, work, atOnce = AT_ONCE) {
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < list.length) await work(list[next++])
    }),
  )
  return (performance.now() - start) / list.length
}

/** Messages are issued and signed before the measurement. The first round creates the accounts. */
async function signInsByWallet(context, kind, make) {
  const wallets = Array.from({ length: SIGN_INS }, (_, n) => ({ wallet: make(), ip: `10.7.0.${n}` }))
  const whole = []
  const bare = []
  const cpu = []
  for (let round = 0; round <= ROUNDS; round++) {
    // A message is valid once, so a repeated sample needs new ones.
    const [signatures, signed, used] = await sample(async () => {
      const batch = []
      await each(wallets, async ({ wallet, ip }) => {
        const address = readAddress(wallet.address, 'tide')
        const text = await issueSignInMessage(context, {
          purpose: 'login',
          wallet: address,
          user: undefined,
          lang: 'en',
          ip,
          origin: network.url,
        })
        const proof = { sign: await wallet.sign(text), publicKey: wallet.publicKey }
        batch.push({ address, text, proof, ip, username: wallet.address })
      })
      const bareMs = await each(batch, async ({ address, text, proof }) => {
        if (!(await readProof(address, proof).fits(text))) throw new Error('a signature does not fit')
      })
      const pids = processTree()
      const before = cpuOf(pids)
      const wholeMs = await each(batch, ({ username, proof, ip }) =>
        signIn(context, { username, ...proof }, { ip, agent: 'bench' }),
      )
      return [bareMs, wholeMs, (cpuOf(pids) - before) / SIGN_INS]
    })
    if (round === 0) continue
    whole.push(signed)
    bare.push(signatures)
    cpu.push(used)
    console.log(
      `round ${round}: ${Math.round(1000 / signed)} sign-ins/s by ${kind}, ${Math.round(1000 / signatures)} signatures/s, ${used.toFixed(1)} ms of CPU a sign-in`,
    )
  }
  report(`sign-ins by ${kind}, 16 at once`, {
    measured: Math.round(1000 / median(whole)),
    against: `${Math.round(1000 / median(bare))} of its signature alone; ${median(cpu).toFixed(1)} ms of CPU each with PostgreSQL`,
    unit: 'sign-ins/s',
    value: median(whole.map((ms, round) => bare[round] / ms)),
  })
}

const network = await createNetwork({ nodes: 0, mode: 'development' })
const db = createDb(network.databaseUrl, { log: console })
try {
  const secret = Buffer.from(readFileSync(join(network.data, 'secrets/server.key'), 'utf8').trim(), 'hex')
  const context = {
    db,
    clock: { now: () => Date.now() },
    keys: await deriveKeys(secret),
    config: { environment: 'development', chainPrefix: 'tide' },
    portalUrl: () => network.url,
  }
  const hash = await hashPassword(PASSWORD)
  await query(
    network,
    `insert into users (uid, email, password_hash, created_at)
     select 'bench' || n, 'bench' || n || '@bench.example', $1, now() from generate_series(1, ${PEOPLE}) n`,
    [hash],
  )
  await query(
    network,
    `insert into sessions (id, user_id, created_at, expires_at, chain_until, seen_at, ip, agent)
     select gen_random_uuid(), (select min(id) from users where uid like 'bench%') + n % ${PEOPLE}, now(), now() + interval '1 day',
       now() + interval '7 days', now() + interval '1 hour', '127.0.0.1', 'bench'
     from generate_series(1, ${SESSIONS}) n`,
  )
  await query(network, 'analyze sessions')
  const chosen = await db.rows({
    text: `select id from sessions where agent = 'bench' order by random()`,
    values: [],
  })
  await signingKey(context, db)
  const tokens = []
  await each(chosen, async ({ id }) => void tokens.push((await rotate(context, id)).token))

  const route = { auth: 'session' }
  const reply = { header: () => reply }
  const request = (token) => ({ headers: { jwtauthorization: `Bearer ${token}` } })
  const first = []
  const again = []
  const signature = []
  const lookup = []
  for (let round = 0; round <= ROUNDS; round++) {
    const batch = tokens.slice(round * TOKENS, (round + 1) * TOKENS)
    const ids = chosen.slice(round * TOKENS, (round + 1) * TOKENS)
    const authenticate = createAuthenticate(context)
    const one = await sample(() => each(batch, (token) => authenticate(request(token), reply, route)))
    // A few tokens over and over, like a page that loads or an upload.
    const few = Array.from({ length: 50_000 }, (_, turn) => batch[turn % 8])
    const known = await sample(() => each(few, (token) => authenticate(request(token), reply, route)))
    // A server without cached tokens.
    const fresh = { ...context, keys: await deriveKeys(secret) }
    const signed = await sample(() => each(batch, (token) => readToken(fresh, token)))
    const found = await sample(() =>
      each(ids, ({ id }) => db.maybe({ text: 'select user_id from sessions where id = $1', values: [id] })),
    )
    if (round === 0) continue
    first.push(one)
    again.push(known)
    signature.push(signed)
    lookup.push(found)
    console.log(
      `round ${round}: first ${one.toFixed(3)} ms, known ${known.toFixed(4)} ms, signature alone ${signed.toFixed(3)} ms, a row by its key ${found.toFixed(3)} ms`,
    )
  }
  const seen = []
  const seenCpu = []
  for (let cycle = 1; cycle <= CYCLES; cycle++) {
    // Each token is used twice within a minute, so that its signature is cached, but not twice within half a second.
    const fresh = { ...context, keys: await deriveKeys(secret) }
    await each(tokens, (token) => readToken(fresh, token))
    const authenticate = createAuthenticate(fresh)
    const before = process.cpuUsage()
    const ms = await each(tokens, (token) => authenticate(request(token), reply, route))
    const { user, system } = process.cpuUsage(before)
    seen.push(ms)
    seenCpu.push((user + system) / 1000 / tokens.length)
    console.log(`all ${tokens.length} in turn: ${ms.toFixed(3)} ms (CPU ${seenCpu.at(-1).toFixed(3)})`)
  }
  report('session check among 100,000 sessions, first call with a token', {
    measured: median(first).toFixed(3),
    against: `${median(signature).toFixed(3)} of its signature and ${median(lookup).toFixed(3)} of reading a row by its key, 16 at once`,
    unit: 'ms',
    value: median(first),
  })
  report('session check, 100,000 tokens in turn, each used in the last minute, CPU time of the server', {
    // The slower of the cycles, because there are too few for a median.
    measured: Math.max(...seenCpu).toFixed(3),
    against: `${Math.max(...seen).toFixed(3)} ms of wall time, ${median(lookup).toFixed(3)} of reading a row by its key, 16 at once`,
    unit: 'ms',
    value: Math.max(...seenCpu),
    goal: { below: 0.2 },
  })
  report('session check among 100,000 sessions, a token used in the last half second', {
    measured: median(again).toFixed(4),
    against: 'an absolute bound',
    unit: 'ms',
    value: median(again),
    goal: { below: 0.2 },
  })

  const people = Array.from({ length: SIGN_INS * (ROUNDS + 1) }, (_, n) => `bench${n + 1}@bench.example`)
  const whole = []
  const bare = []
  const cpu = []
  for (let round = 0; round <= ROUNDS; round++) {
    const batch = people.slice(round * SIGN_INS, (round + 1) * SIGN_INS)
    const hashes = await sample(() => each(batch, () => verifyPassword(hash, PASSWORD)))
    const pids = processTree()
    const before = cpuOf(pids)
    const signed = await sample(() =>
      each(batch, (username) => signIn(context, { username, password: PASSWORD }, { ip: '127.0.0.1', agent: 'bench' })),
    )
    const used = (cpuOf(pids) - before) / SIGN_INS
    if (round === 0) continue
    whole.push(signed)
    bare.push(hashes)
    cpu.push(used)
    console.log(
      `round ${round}: ${Math.round(1000 / signed)} sign-ins/s, ${Math.round(1000 / hashes)} hashes/s, ${used.toFixed(1)} ms of CPU a sign-in`,
    )
  }
  report(`sign-ins by password, 16 at once on ${cpus().length} cores`, {
    measured: Math.round(1000 / median(whole)),
    against: `${Math.round(1000 / median(bare))} of the argon2id hash alone`,
    unit: 'sign-ins/s',
    value: median(whole.map((ms, round) => bare[round] / ms)),
    goal: { atLeast: 0.5 },
  })

  for (const [kind, make] of [
    ['a wallet of the chain', cosmosWallet],
    ['a 0x wallet', evmWallet],
  ])
    await signInsByWallet(context, kind, make)
} finally {
  await db.close()
  await network.stop()
}
