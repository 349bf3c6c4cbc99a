import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, rawCid } from '@tidenet/content'
import { buildShards, type Shard, type ShardEntry } from '@tidenet/content/hamt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestEnv, type TestEnv, uploadArchive } from '../test-env.fixture.ts'
import { makeArchive } from '../test-folder.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await createTestEnv()
})
afterAll(() => env.stop())

/** A sharded folder with these names. */
async function shardedFolder(names: string[]) {
  const leaf = { bytes: randomBytes(20), cid: await rawCid(Buffer.alloc(0)) }
  leaf.cid = await rawCid(leaf.bytes)
  const shard = await buildShards(names.map((name) => ({ name, cidBytes: leaf.cid.bytes, cumulativeSize: 20 })))
  const blocks: Block[] = []
  const add = (shard: Shard<ShardEntry>) => {
    blocks.push(shard.block)
    for (const item of shard.items) if ('items' in item) add(item)
  }
  add(shard)
  blocks.push(leaf)
  return { cid: shard.block.cid.toString(), archive: await makeArchive([shard.block.cid], blocks) }
}

it('a sharded folder is listed page by page, also without stored counts', async () => {
  const data = await env.folder()
  let node = await env.start({ data })
  const names = Array.from({ length: 2500 }, (_, i) => `name ${i}`)
  const folder = await shardedFolder(names)
  expect(await uploadArchive(env, node, folder)).toMatchObject({ status: 200 })
  const pages = async () => {
    const found: string[] = []
    for (let page = 0; page < 4; page += 1) {
      const token = await env.server.downloadToken(node.id, folder.cid)
      const answer = await fetch(`${node.url}/ipfs/${folder.cid}?page=${page}&count=700&token=${token}`)
      const { data } = (await answer.json()) as { data: { Total: number; FileProperties: { FileName: string }[] } }
      expect(data.Total).toBe(names.length)
      found.push(...data.FileProperties.map(({ FileName }) => FileName))
    }
    return found
  }
  const first = await pages()
  expect(first.toSorted()).toEqual(names.toSorted())
  await node.stop()
  await rm(join(data, 'contents', folder.cid.slice(-2), folder.cid, 'entries'))
  node = await env.start({ data })
  expect(await pages()).toEqual(first)
})

it('an older sharded folder is counted once for all waiting requests, even if one disconnects', async () => {
  const data = await env.folder()
  let node = await env.start({ data })
  const names = Array.from({ length: 6000 }, (_, i) => `name ${i}`)
  const folder = await shardedFolder(names)
  expect(await uploadArchive(env, node, folder)).toMatchObject({ status: 200 })
  await node.stop()
  await rm(join(data, 'contents', folder.cid.slice(-2), folder.cid, 'entries'))
  node = await env.start({ data })
  const token = await env.server.downloadToken(node.id, folder.cid)
  const list = (signal?: AbortSignal) =>
    fetch(`${node.url}/ipfs/${folder.cid}?count=10&token=${token}`, { ...(signal && { signal }) })
  const stop = new AbortController()
  const given = list(stop.signal).catch(() => undefined)
  const others = Array.from({ length: 5 }, () => list())
  stop.abort()
  await given
  for (const answer of await Promise.all(others))
    expect((await answer.json()) as object).toMatchObject({ code: 0, data: { Total: names.length } })
})
