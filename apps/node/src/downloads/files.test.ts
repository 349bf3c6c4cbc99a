import { parseCid } from '@tidenet/content'
import { readFileLayout, verifyLeaf } from '@tidenet/content/leaves'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, bytesOf, type SampleDownloads, sampleDownloads } from './sample-downloads.fixture.ts'

let env: SampleDownloads['env']
let node: SampleDownloads['node']
let get: SampleDownloads['get']
let file: SampleDownloads['file']
let small: SampleDownloads['small']
beforeAll(async () => {
  ;({ env, node, get, file, small } = await sampleDownloads())
})
afterAll(() => env.stop())

const headersOf = (answer: Response) => Object.fromEntries(answer.headers)

describe('a file', () => {
  it('is complete, cacheable for ever and sandboxed', async () => {
    const answer = await get(`/ipfs/${file.cid}`)
    expect(answer.status).toBe(200)
    expect((await bytesOf(answer)).equals(file.bytes)).toBe(true)
    expect(headersOf(answer)).toMatchObject({
      'content-length': '3000000',
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      etag: `"${file.cid}"`,
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'timing-allow-origin': '*',
    })
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-security-policy')).toMatch(/(^|; )sandbox(;|$)/)
    expect(answer.headers.get('access-control-expose-headers')).toContain('Content-Range')
  })

  it('accepts the token in the query', async () => {
    const token = await env.server.downloadToken(node.id, file.cid)
    expect((await fetch(`${node.url}/ipfs/${file.cid}?token=${token}`)).status).toBe(200)
  })

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=1048570-2097160', 1_048_570, 2_097_161],
    ['bytes=2999999-', 2_999_999, 3_000_000],
    ['bytes=-5', 2_999_995, 3_000_000],
    ['bytes=1-99999999', 1, 3_000_000],
  ])('comes in the range %s', async (range, start, end) => {
    const answer = await get(`/ipfs/${file.cid}`, { headers: { range } })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/3000000`)
    expect((await bytesOf(answer)).equals(file.bytes.subarray(start, end))).toBe(true)
  })

  it('is the same when assembled from ten concurrent ranges', async () => {
    const parts = await Promise.all(
      Array.from({ length: 10 }, async (_, i) =>
        bytesOf(
          await get(`/ipfs/${file.cid}`, { headers: { range: `bytes=${i * 300_000}-${i * 300_000 + 299_999}` } }),
        ),
      ),
    )
    expect(Buffer.concat(parts).equals(file.bytes)).toBe(true)
  })

  it('returns 416 and its size for a range beyond its end', async () => {
    const answer = await get(`/ipfs/${file.cid}`, { headers: { range: 'bytes=3000000-' } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */3000000'])
  })

  it('is sent completely for multiple ranges, or if If-Range does not match', async () => {
    expect((await get(`/ipfs/${file.cid}`, { headers: { range: 'bytes=0-1,5-6' } })).status).toBe(200)
    const other = { range: 'bytes=0-1', 'if-range': '"other"' }
    expect((await get(`/ipfs/${file.cid}`, { headers: other })).status).toBe(200)
    const same = { range: 'bytes=0-1', 'if-range': `"${file.cid}"` }
    expect((await get(`/ipfs/${file.cid}`, { headers: same })).status).toBe(206)
  })

  it('returns 304 to a client that has it', async () => {
    const answer = await get(`/ipfs/${file.cid}`, { headers: { 'if-none-match': `"${file.cid}"` } })
    expect([answer.status, (await bytesOf(answer)).length]).toEqual([304, 0])
  })

  it('returns the same headers to HEAD, without a body', async () => {
    const answer = await get(`/ipfs/${file.cid}`, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '3000000'])
    expect((await bytesOf(answer)).length).toBe(0)
  })

  it('has the requested name and type', async () => {
    const shown = await get(`/ipfs/${file.cid}?filename=${encodeURIComponent('照片.png')}`)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('content-disposition')).toBe(
      `inline; filename="__.png"; filename*=UTF-8''%E7%85%A7%E7%89%87.png`,
    )
    const saved = await get(`/ipfs/${file.cid}?filename=a.txt&download=true`)
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename="a.txt"')
  })

  it('returns its inner blocks, with which each leaf can be verified', async () => {
    for (const { cid, bytes } of [file, small]) {
      const { roots, blocks, cids } = await blocksOf(await get(`/ipfs/${cid}?format=inner`, { as: cid }))
      expect(roots).toEqual([cid])
      const layout = await readFileLayout(
        parseCid(cid),
        bytes.length,
        async (cid) => blocks[cids.indexOf(`${cid}`)]!.bytes,
      )
      expect(layout.size).toBe(bytes.length)
      for (let leaf = 0; leaf < layout.leafCount; leaf += 1) {
        const { offset, size } = layout.leafAt(leaf)
        expect(await verifyLeaf(layout, leaf, bytes.subarray(offset, offset + size))).toBe(true)
      }
    }
  })

  it.each(['query', 'Accept'])('is returned as a CAR if the %s requests it', async (where) => {
    const answer =
      where === 'query'
        ? await get(`/ipfs/${file.cid}?format=car`)
        : await get(`/ipfs/${file.cid}`, {
            headers: { accept: 'application/vnd.ipld.car; version=1; order=dfs; dups=y' },
          })
    expect(answer.headers.get('content-type')).toContain('application/vnd.ipld.car; version=1; order=dfs')
    const { roots, blocks } = await blocksOf(answer)
    expect(roots).toEqual([file.cid])
    const leaves = blocks.filter((block) => block.cid.code === 0x55).map((block) => block.bytes)
    expect(Buffer.concat(leaves).equals(file.bytes)).toBe(true)
  })

  it('returns the blocks of a byte range', async () => {
    const { blocks } = await blocksOf(await get(`/ipfs/${file.cid}?format=car&entity-bytes=300000:300001`))
    expect(blocks.map((block) => block.bytes.length).slice(1)).toEqual([262_144])
    const alone = await blocksOf(await get(`/ipfs/${file.cid}?format=car&dag-scope=block`))
    expect(alone.cids).toEqual([file.cid])
  })

  it('returns each of its blocks', async () => {
    const { blocks } = await blocksOf(await get(`/ipfs/${file.cid}?format=car`))
    for (const block of blocks) {
      const answer = await get(`/ipfs/${block.cid}?format=raw`)
      expect(answer.headers.get('content-type')).toBe('application/vnd.ipld.raw')
      expect((await bytesOf(answer)).equals(Buffer.from(block.bytes))).toBe(true)
    }
  })
})
