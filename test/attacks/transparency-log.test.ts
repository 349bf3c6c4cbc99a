import { errors } from '@tidenet/contract'
import {
  hashLeaf,
  hashNode,
  isConsistent,
  parseCheckpoint,
  parseNote,
  rootOfInclusion,
  type Tree,
} from '@tidenet/receipts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../apps/server/src/platform/db/db.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { appendQueued } from '../../apps/server/src/platform/transparency-log/append.ts'
import { issueReceipt, issueReceipts } from '../../apps/server/src/platform/transparency-log/issue.ts'
import { findReceipt, proveReceipt } from '../../apps/server/src/platform/transparency-log/read.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let owner: Person
beforeEach(async () => {
  env = await setup()
  owner = await env.person()
})
afterEach(() => env.close())

const claims = () => ({ kind: 'upload' as const, sub: owner.uid, cid: 'bafy', type: 'file' as const, size: 1 })
const issue = (count: number) =>
  issueReceipts(
    env.db,
    Array.from({ length: count }, () => claims()),
    new Date(),
  )
const append = (db: Db = env.db) => appendQueued({ ...env.context, db: { ...env.context.db, ...db } })

/** What a monitor sees. */
const get = async (path: string) => (await env.app.inject(`/log/${path}`)).rawPayload
async function checkpoint(): Promise<Tree> {
  const note = parseNote((await get('checkpoint')).toString())
  return parseCheckpoint(note?.text ?? '') as Tree
}
async function leavesOf(size: number): Promise<Uint8Array[]> {
  const leaves: Uint8Array[] = []
  for (let first = 0; first < size; first += 256) {
    const width = Math.min(256, size - first)
    const tile = await get(`tile/0/${String(first / 256).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`)
    for (let at = 0; at < width; at++) leaves.push(new Uint8Array(tile.subarray(at * 32, at * 32 + 32)))
  }
  return leaves
}

const half = (count: number) => 2 ** (Math.ceil(Math.log2(count)) - 1)
const rootOf = (leaves: readonly Uint8Array[]): Uint8Array =>
  leaves.length === 1
    ? (leaves[0] as Uint8Array)
    : hashNode(rootOf(leaves.slice(0, half(leaves.length))), rootOf(leaves.slice(half(leaves.length))))

/** RFC 9162, 2.1.4.1. */
function consistencyProof(size: number, leaves: readonly Uint8Array[], isWhole = true): Uint8Array[] {
  if (size === leaves.length) return isWhole ? [] : [rootOf(leaves)]
  const middle = half(leaves.length)
  const [left, right] = [leaves.slice(0, middle), leaves.slice(middle)]
  return size <= middle
    ? [...consistencyProof(size, left, isWhole), rootOf(right)]
    : [...consistencyProof(size - middle, right, false), rootOf(left)]
}

/** Nothing was lost, repeated or changed: every receipt is proven, at an index of its own. */
async function expectComplete(ids: readonly number[]): Promise<void> {
  const indexes = new Set<number>()
  const root = Buffer.from((await checkpoint()).root)
  for (const id of ids) {
    const found = await findReceipt(env.context, id)
    if (!found?.logged) throw new Error(`receipt ${id} was lost`)
    const { receipt, proof } = await proveReceipt(env.context, found, found.logged)
    const hashes = proof.hashes.map((hash) => new Uint8Array(Buffer.from(hash, 'base64')))
    const leaf = hashLeaf(new TextEncoder().encode(receipt))
    expect(root.equals(rootOfInclusion(leaf, proof.index, proof.size, hashes) ?? new Uint8Array())).toBe(true)
    indexes.add(proof.index)
  }
  expect([...indexes].sort((a, b) => a - b)).toEqual(ids.map((_, index) => index))
  expect((await checkpoint()).size).toBe(ids.length)
}

describe('the log', () => {
  it('is consistent: each checkpoint with each later one', async () => {
    const seen: Tree[] = []
    for (const more of [1, 1, 1, 4, 248, 1, 1, 255, 90, 400]) {
      await issue(more)
      await append()
      seen.push(await checkpoint())
    }
    const leaves = await leavesOf(seen.at(-1)?.size ?? 0)
    for (const [at, earlier] of seen.entries())
      for (const later of seen.slice(at))
        expect(isConsistent(earlier, later, consistencyProof(earlier.size, leaves.slice(0, later.size)))).toBe(true)
    const [first, last] = [seen[4], seen.at(-1)] as [Tree, Tree]
    const forged = { ...first, root: new Uint8Array(32) }
    expect(isConsistent(forged, last, consistencyProof(first.size, leaves))).toBe(false)
  })

  it('is complete whenever a server is killed between two steps', async () => {
    const ids = await issue(300)
    await append()
    ids.push(...(await issue(300)))
    const before = await checkpoint()
    for (let step = 1; ; step++) {
      let steps = 0
      const killed = async <T>(work: () => Promise<T>): Promise<T> => {
        if (++steps === step) throw new Error('killed')
        return work()
      }
      const transaction: Db['transaction'] = (work) =>
        env.db.transaction((tx) =>
          work({
            ...tx,
            rows: (statement) => killed(() => tx.rows(statement)),
            maybe: (statement) => killed(() => tx.maybe(statement)),
            run: (statement) => killed(() => tx.run(statement)),
          }),
        )
      const ended = await append({ ...env.db, transaction }).then(
        () => 'done',
        () => 'killed',
      )
      if (ended === 'done') break
      expect(await checkpoint()).toEqual(before)
    }
    await expectComplete(ids)
  })

  it('contains what was committed, once, if a hundred servers issue and append at once', async () => {
    const ids: number[] = []
    await Promise.all(
      Array.from({ length: 100 }, async (_, server) => {
        const issued = await env.db
          .transaction(async (tx) => {
            const some = [await issueReceipt(tx, claims(), new Date()), await issueReceipt(tx, claims(), new Date())]
            if (server % 3 === 0) throw new Error('undone')
            return some
          })
          .catch(() => [])
        ids.push(...issued)
        await append()
      }),
    )
    await append()
    await expectComplete(ids.sort((a, b) => a - b))
  })

  it.each([
    [
      'hash',
      sql`update log_tiles set hashes = set_byte(hashes, 5 * 32, 255 - get_byte(hashes, 5 * 32)) where level = 0`,
    ],
    ['claim', sql`update log_bundles set claims = set_byte(claims, 30, 255 - get_byte(claims, 30))`],
    ['root', sql`update log_state set root = set_byte(root, 3, 255 - get_byte(root, 3))`],
  ])('does not prove anything with a changed %s', async (_, change) => {
    const ids = await issue(300)
    await append()
    await env.db.run(change)
    const { code, data } = await env.call('receipts.get', { id: ids[5] ?? 0 }, { token: owner.token })
    expect(code).not.toBe(0)
    expect(data ?? {}).not.toHaveProperty('receipt')
  })
})

describe('strangers', () => {
  it('who guess ids learn nothing, not even which of them exist', async () => {
    const stranger = await env.person()
    const logged = await issue(20)
    await append()
    const queued = await issue(20)
    const answers = await Promise.all(
      [...logged, ...queued, 90_000, 90_001].map(async (id) => {
        const { status, code, err, msg, data } = await env.call('receipts.get', { id }, { token: stranger.token })
        return JSON.stringify({ status, code, err, msg, data })
      }),
    )
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '{}')).toMatchObject({ err: errors.notFound.err })
  })

  it('who read all tiles find no account, file or node', async () => {
    await issue(300)
    await append()
    const seen = Buffer.concat([await get('tile/0/000'), await get('tile/0/001.p/44'), await get('checkpoint')])
    for (const secret of [owner.uid, 'bafy']) expect(seen.includes(secret)).toBe(false)
    for (const path of ['tile/entries/000', 'entries/000', 'bundle/0'])
      expect((await get(path)).includes(owner.uid)).toBe(false)
  })
})
