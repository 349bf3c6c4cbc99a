import { createHash, randomBytes } from 'node:crypto'
import { chainAt, identityIn, KEYS_PATH, verifyReceipt } from '@tidenet/receipts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { deriveKeys } from '../../platform/keys.ts'
import { appendQueued } from '../../platform/transparency-log/append.ts'
import { issueReceipts } from '../../platform/transparency-log/issue.ts'
import { currentSize } from '../../platform/transparency-log/read.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Chain, chainOf } from '../chain/chain.ts'
import { nextBlock, type SampleChain, startSampleChain, withFaultyTransport } from '../chain/sample-chain.fixture.ts'
import { keySet } from '../receipts/key-set.ts'
import { receiptOf } from '../receipts/sample-receipts.fixture.ts'
import { anchorLog } from './anchors.ts'

const HOUR = 3_600_000

let chain: SampleChain
let env: TestEnv
let owner: Person
beforeAll(async () => {
  chain = await startSampleChain({}, 20)
})
afterAll(() => chain?.stop())
beforeEach(async () => {
  env = await setup({ chain: chain.config, pace: 'usual' })
  owner = await env.person()
})
afterEach(() => env.close())

/** Appends receipts of the owner. @returns their ids */
async function grow(count = 1): Promise<number[]> {
  const at = new Date(env.clock.now())
  const claims = { kind: 'upload' as const, sub: owner.uid, cid: 'bafy', type: 'file' as const, size: 1 }
  const ids = await issueReceipts(
    env.db,
    Array.from({ length: count }, () => claims),
    at,
  )
  await appendQueued(env.context)
  return ids
}

const anchorWith = (by: Chain | undefined) => anchorLog({ ...env.context, chain: by })
const anchors = () =>
  env.db.rows<{ size: number; state: string; hash: string }>(
    sql`select size, state, hash from log_anchors where state <> 'void' order by size`,
  )

/** Runs rounds until no transaction is on its way. */
async function anchorAll(by = chainOf(chain.config)): Promise<void> {
  for (let round = 0; round < 500; round++) {
    await anchorWith(by)
    if ((await anchors()).every(({ state }) => state === 'done')) return
    env.pass(1000 * round)
    await nextBlock(chain)
  }
  throw new Error('the log is not anchored')
}

/** The memo is the only text with spaces in a transaction. */
const memoOf = (bytes: Buffer): string =>
  /tidenet-log \S+ \d+ \S+ [0-9a-f]{16}/.exec(bytes.toString('latin1'))?.[0] ?? ''

/** Memos of all anchors of this log on the chain. */
async function memos(): Promise<string[]> {
  const rows = await env.db.rows<{ hash: string; bytes: Buffer }>(sql`select hash, bytes from log_anchors`)
  const { port } = chainOf(chain.config) as Chain
  const included = await Promise.all(rows.map(async ({ hash, bytes }) => ((await port.tx(hash)) ? [bytes] : [])))
  return included.flat().map(memoOf)
}

describe('an anchor', () => {
  it('is a transaction with the name, size and root of the log in its memo', async () => {
    await grow(300)
    await anchorAll()
    const { root } = await currentSize(env.context)
    const expected = `tidenet-log ${env.context.keys.log} 300 ${root.toString('base64')}`
    expect(await memos()).toEqual([expect.stringMatching(/ [0-9a-f]{16}$/)])
    expect((await memos())[0]?.slice(0, -17)).toBe(expected)
  })

  it('is in the file of every receipt that it covers, with the checkpoint of its size', async () => {
    const [first = 0] = await grow(3)
    await anchorAll()
    const [later = 0] = await grow(300)
    const file = await receiptOf(env, owner, first)
    expect(file.proof.size).toBe(3)
    const bytes = Buffer.from(file.anchor?.tx ?? '', 'base64')
    expect(file.anchor?.hash).toBe(createHash('sha256').update(bytes).digest('hex').toUpperCase())
    const { port } = chainOf(chain.config) as Chain
    expect((await port.tx(file.anchor?.hash ?? ''))?.height).toBe(file.anchor?.height)
    const [, size, root] = file.checkpoint.split('\n')
    expect(memoOf(bytes)).toContain(` ${size} ${root} `)
    expect((await receiptOf(env, owner, later)).anchor).toBeNull()
    const identity = identityIn((await env.app.inject(KEYS_PATH)).json())
    const asked = chainAt(chain.config.rpc[0] ?? '')
    const { proven } = await verifyReceipt(JSON.stringify(file), { ...identity, chain: asked })
    expect(proven).toEqual(['signed', 'logged', 'anchored', 'on_chain'])
  })

  it('is the first that covers the receipt, so that a file does not change any more', async () => {
    const [id = 0] = await grow()
    await anchorAll()
    const before = await receiptOf(env, owner, id)
    await grow()
    env.pass(10 * HOUR)
    await anchorAll()
    expect(await anchors()).toHaveLength(2)
    expect(await receiptOf(env, owner, id)).toEqual(before)
  })

  it('is made once an hour, and only if the log has grown', async () => {
    await anchorAll()
    expect(await anchors()).toEqual([])
    await grow()
    await anchorAll()
    await grow()
    await anchorAll()
    expect(await anchors()).toHaveLength(1)
    env.pass(10 * HOUR)
    await anchorAll()
    expect(await anchors()).toHaveLength(2)
    env.pass(20 * HOUR)
    await anchorAll()
    expect(await anchors()).toHaveLength(2)
  })

  it('is made once by several servers', async () => {
    await grow()
    await Promise.all(Array.from({ length: 6 }, () => anchorWith(chainOf(chain.config)).catch(() => {})))
    await anchorAll()
    expect(await memos()).toHaveLength(1)
  })

  it.each(['unreachable', 'response lost'] as const)('is made once if the chain is %s at first', async (fault) => {
    await grow()
    let faults = 3
    const broken = withFaultyTransport(chain, (method) =>
      method.startsWith('broadcast') && faults-- > 0 ? fault : undefined,
    )
    for (let round = 0; round < 4; round++) await anchorWith(broken).catch(() => {})
    await anchorAll()
    expect(await memos()).toHaveLength(1)
  })

  it('is sent again, unchanged, by a server that was killed before it sent it', async () => {
    await grow()
    const killed = chainOf(chain.config) as Chain
    killed.port.broadcast = () => new Promise(() => {})
    const { operator } = killed
    void anchorWith({ ...killed, operator }).catch(() => {})
    while ((await anchors()).length === 0) await nextBlock(chain)
    const [sent] = await anchors()
    env.pass(10_000)
    await anchorAll()
    expect(await anchors()).toEqual([{ ...sent, state: 'done' }])
  })

  it('is replaced if it can no longer succeed', async () => {
    await grow()
    const killed = chainOf(chain.config) as Chain
    killed.port.broadcast = () => new Promise(() => {})
    void anchorWith(killed).catch(() => {})
    while ((await anchors()).length === 0) await nextBlock(chain)
    const [lost] = await anchors()
    await env.db.run(sql`update log_anchors set last_height = 0`)
    while ((await (chainOf(chain.config) as Chain).port.status()).height < 12) await nextBlock(chain)
    await anchorAll()
    const [done] = await anchors()
    expect(done).toMatchObject({ state: 'done' })
    expect(done?.hash).not.toBe(lost?.hash)
  })

  it('is not made by a server without the key of the operators', async () => {
    await grow()
    await anchorWith(chainOf({ ...chain.config, key: undefined } as never))
    expect(await anchors()).toEqual([])
  })
})

describe('the key set', () => {
  const published = async (config: Partial<TestEnv['context']['config']> = {}, by = chainOf(chain.config)) =>
    identityIn(await keySet({ ...env.context, chain: by, config: { ...env.context.config, ...config } }))
  const own = () => ({ chain: chain.config.id, address: (chainOf(chain.config) as Chain).operator?.address })

  it('names the address that signs anchors, and those that are configured, once each', async () => {
    const other = { chain: 'former-chain', address: own().address ?? '' }
    expect((await published()).anchors).toEqual([own()])
    expect((await published({ anchorAddresses: [own() as never, other] })).anchors).toEqual([own(), other])
    // A server without the key publishes what the other one signs with.
    const without = chainOf({ ...chain.config, key: undefined } as never)
    expect((await published({}, without)).anchors).toEqual([])
    expect((await published({ anchorAddresses: [other] }, without)).anchors).toEqual([other])
  })

  it('has the keys of receipts from before the secret changed, with the time until which they count', async () => {
    const { x = '' } = (await deriveKeys(randomBytes(32))).receiptPublic
    const { keys } = await published({ formerReceiptKeys: [{ key: x, until: 5 }] })
    expect(keys).toEqual([{ key: env.context.keys.receiptPublic.x }, { key: x, until: 5 }])
  })
})
