import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { StorageNode } from '../app.ts'
import { createTestEnv, randomFile, type TestEnv, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'

/** Copies from a node that is reached at several origins: directly, and through relays. */

let env: TestEnv
beforeEach(async () => {
  env = await createTestEnv()
})
afterEach(() => env.stop())

/** Another origin of a node. @param bytes after which it is cut; 0: it accepts connections and stays silent */
async function originOf({ port }: StorageNode, bytes: number): Promise<string> {
  const open = new Set<Socket>()
  const cut = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  let left = bytes
  const server = createServer((visitor) => {
    open.add(visitor)
    visitor.on('error', () => {})
    if (bytes === 0) return
    const node = connect(port, '127.0.0.1')
    open.add(node)
    node.on('error', () => visitor.destroy())
    visitor.pipe(node).pipe(visitor)
    node.on('data', (chunk) => {
      left -= chunk.length
      if (left < 0) cut()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(cut)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const results = () =>
  env.server.of('replicas').flatMap((body) => body.results as { cid: string; state: string; bad_sources: object[] }[])

async function pull(
  from: StorageNode,
  content: { kind: 'file' | 'folder'; cid: string; size: number },
  urls: string[],
) {
  const to = await env.start()
  const [url = '', ...more_urls] = urls
  const token = await env.server.downloadToken(from.id, content.cid, { typ: 'pull' })
  const before = results().length
  env.server.give(to.id, { type: 'pull', ...content, sources: [{ node_id: from.id, url, more_urls, token }] })
  await env.server.until(() => results().length > before)
  return results().at(-1)
}

describe('a pull', () => {
  const SIZE = 20_000_000
  const CLOSED = 'http://127.0.0.1:9'

  it('goes another way if the first one is closed or stays silent', async () => {
    const from = await env.start()
    const { bytes, cid } = await randomFile(SIZE)
    await upload(env, from, bytes)
    for (const first of [CLOSED, await originOf(from, 0)])
      expect(await pull(from, { kind: 'file', cid, size: SIZE }, [first, from.url])).toMatchObject({
        state: 'stored',
        bad_sources: [],
      })
  })

  it('goes on at the next origin of the node when one dies, and blames nobody', async () => {
    const from = await env.start()
    const { bytes, cid } = await randomFile(SIZE)
    await upload(env, from, bytes)
    const ways = [await originOf(from, SIZE / 3), await originOf(from, SIZE / 3), from.url]
    expect(await pull(from, { kind: 'file', cid, size: SIZE }, ways)).toMatchObject({
      state: 'stored',
      bad_sources: [],
    })
    const files = Array.from({ length: 12 }, (_, index) => [`${index}`, bytes.subarray(index, 600_000 + index)])
    const folder = await makeFolder(Object.fromEntries(files))
    await uploadArchive(env, from, folder)
    const content = { kind: 'folder', cid: folder.cid, size: folder.archive.length } as const
    const again = [await originOf(from, 2_000_000), from.url]
    expect(await pull(from, content, again)).toMatchObject({ state: 'stored', bad_sources: [] })
  })

  it('fails, and says which node, if no way is left', async () => {
    const from = await env.start()
    const { bytes, cid } = await randomFile(SIZE)
    await upload(env, from, bytes)
    const ways = [await originOf(from, SIZE / 3), await originOf(from, SIZE / 3)]
    const result = await pull(from, { kind: 'file', cid, size: SIZE }, ways)
    expect(result?.state).not.toBe('stored')
    expect(result?.bad_sources).toMatchObject([{ node_id: from.id }])
  })
})
