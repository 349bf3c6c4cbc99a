import { afterEach, describe, expect, it } from 'vitest'
import { isSuccess } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'

/** All nodes seem slow: the link of the client is. */

let env: TestEnv
afterEach(() => env.close())

describe('a client with a slow link', () => {
  it.each([
    ['a small file', 250_000],
    ['a file of some parts', 1_000_000],
  ])(
    'completes %s, although many nodes offer it',
    async (_, size) => {
      env = await startTestEnv({ nodes: 6 })
      const storage = env.storage()
      const bytes = someBytes(size)
      const uploaded = await storage.uploadAsset(bytes, { name: 'a.bin' })
      if (!isSuccess(uploaded)) throw new Error(uploaded.msg)
      const { cid } = uploaded.data
      const held = env.nodes.find(({ contents }) => contents.has(cid))?.contents.get(cid)
      for (const node of env.nodes) {
        node.contents.set(cid, held!)
        // 64 KiB take this long, so a leaf takes longer than a slow part is given.
        node.knobs.slow = 300
        node.requests.length = 0
      }
      const result = await storage.downloadAsset({ assetCid: cid, to: 'blob', signal: AbortSignal.timeout(20_000) })
      expect(result).toMatchObject({ code: 0, data: { size } })
      // A leaf that is requested again is a leaf that was paid for twice.
      const asked = env.nodes.flatMap(({ requests }) => requests).filter(({ headers }) => headers.range !== 'bytes=0-0')
      expect(asked.length).toBeLessThan(20)
    },
    30_000,
  )
})
