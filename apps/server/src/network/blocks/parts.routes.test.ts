import { randomBytes } from 'node:crypto'
import { type Block, rawCid } from '@tidenet/content'
import { multihashHex } from '@tidenet/content/cid'
import { dagPbBlock, directoryData, fileData } from '@tidenet/content/unixfs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { err, reason } from '../../operator/admin/sample-operator.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let operator: Person
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  operator = await env.person({ role: 'operator' })
  node = await env.node({ url: 'http://127.0.0.1:7001' })
})
afterAll(() => env.close())

const link = ({ cid, bytes }: Block, name = '') => ({ name, cidBytes: cid.bytes, cumulativeSize: bytes.length })
const leaf = async (): Promise<Block> => {
  const bytes = randomBytes(100)
  return { cid: await rawCid(bytes), bytes }
}
const folder = (...entries: Block[]) =>
  dagPbBlock(
    entries.map((entry, index) => link(entry, `${index}`)),
    directoryData(),
  )
const block = ({ cid }: Block) => env.call('admin.block', { cid: cid.toString(), category: 'other', reason }, operator)
const prove = (root: Block, blocks: Block[], blocked: Block, as = node) =>
  env.call(
    'nodeControl.contains',
    {
      cid: root.cid.toString(),
      blocks: blocks.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
      blocked: blocked.cid.toString(),
    },
    as,
  )
/** Lists a folder as a content that the node holds, with a copy that another one should make. */
async function held({ cid }: Block) {
  const at = new Date(env.clock.now())
  const spare = await env.node()
  await env.db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at)
    values (${cid.toString()}, ${multihashHex(cid)}, 'folder', 20, 3, ${at})`)
  for (const [id, state] of [
    [node.id, 'stored'],
    [spare.id, 'wanted'],
  ] as const)
    await env.db.run(
      sql`insert into replicas (cid, node_id, state, changed_at) values (${cid.toString()}, ${id}, ${state}, ${at})`,
    )
}
const isWithheld = async ({ cid }: Block) =>
  (await env.db.one<{ is: boolean }>(sql`select is_withheld(${cid.toString()}) as is`)).is

describe('a content that contains a blocked one', () => {
  it('is neither audited nor copied once a node has proved that, until the block is lifted', async () => {
    const bad = await leaf()
    const inner = await folder(bad)
    const root = await folder(inner, await leaf())
    await held(root)
    await block(bad)
    expect(await isWithheld(root)).toBe(false)
    expect((await prove(root, [root, inner], bad)).code).toBe(0)
    expect((await prove(root, [root, inner], bad)).code).toBe(0)
    expect(await isWithheld(root)).toBe(true)
    await env.call('admin.unblock', { cid: bad.cid.toString(), reason }, operator)
    expect(await isWithheld(root)).toBe(false)
  })
})

describe('refused are proofs', () => {
  it('of a content that is not blocked, or that the network does not have', async () => {
    const [bad, free] = [await leaf(), await leaf()]
    const [root, unknown] = [await folder(bad, free), await folder(bad)]
    await held(root)
    await block(bad)
    expect(await prove(root, [root], free)).toMatchObject(err('notContained'))
    expect(await prove(unknown, [unknown], bad)).toMatchObject(err('notContained'))
  })

  it('whose blocks do not lead from the root to the blocked content', async () => {
    const bad = await leaf()
    const inner = await folder(bad)
    const [root, other] = [await folder(inner, await leaf()), await folder(await leaf())]
    await held(root)
    await held(other)
    await block(bad)
    for (const blocks of [[inner], [inner, root], [root], [root, other], [other, inner], [root, inner, inner]])
      expect(await prove(root, blocks, bad)).toMatchObject(err('notContained'))
    expect(await prove(other, [other], bad)).toMatchObject(err('notContained'))
    expect(await prove(root, [{ ...root, bytes: randomBytes(50) }], bad)).toMatchObject(err('notContained'))
    expect([await isWithheld(root), await isWithheld(other)]).toEqual([false, false])
  })

  it('of one of several parts of a file, which is another content', async () => {
    const [bad, rest] = [await leaf(), await leaf()]
    const file = await dagPbBlock([link(bad), link(rest)], fileData([100, 100]))
    await held(file)
    await block(bad)
    expect(await prove(file, [file], bad)).toMatchObject(err('notContained'))
  })

  it('of anyone but nodes', async () => {
    const bad = await leaf()
    const root = await folder(bad)
    await held(root)
    await block(bad)
    for (const as of [{}, { token: (await env.person()).token }])
      expect((await prove(root, [root], bad, as as never)).code).not.toBe(0)
    expect(await isWithheld(root)).toBe(false)
  })
})
