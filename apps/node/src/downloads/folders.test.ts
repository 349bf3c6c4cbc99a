import { createHash } from 'node:crypto'
import { readTar } from '@tidenet/content/tar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blocksOf,
  bytesOf,
  type DownloadOptions,
  once,
  type SampleDownloads,
  sampleDownloads,
} from './sample-downloads.fixture.ts'

let env: SampleDownloads['env']
let node: SampleDownloads['node']
let get: SampleDownloads['get']
let folder: SampleDownloads['folder']
let big: SampleDownloads['big']
beforeAll(async () => {
  ;({ env, node, get, folder, big } = await sampleDownloads())
})
afterAll(() => env.stop())

/** Placeholder for the CID of the folder, which is created later. */
const folderCid = 'CID'

describe('a folder', () => {
  const inFolder = (path: string, options: DownloadOptions = {}) =>
    get(`/ipfs/${folder.cid}${path}`, { as: folder.cid, ...options })

  it('lists its entries with working links', async () => {
    const token = await env.server.downloadToken(node.id, folder.cid)
    const answer = await fetch(`${node.url}/ipfs/${folder.cid}?token=${token}&filename=mine`)
    const listing = (await answer.json()) as {
      data: { FileProperties: { FileName: string; Size: number; Link: string }[] }
    }
    expect(listing).toMatchObject({ code: 0, msg: '', data: { Name: 'mine', Total: 2 } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const [text, docs] = listing.data.FileProperties
    expect([text?.FileName, text?.Size, docs?.FileName]).toEqual(['a b.txt', 5, 'docs'])
    expect(await (await fetch(node.url + text?.Link)).text()).toBe('hello')
    const below = (await (await fetch(node.url + docs?.Link)).json()) as typeof listing
    expect(below.data.FileProperties.map((entry) => entry.FileName)).toEqual(['page.html', '大.bin'])
    expect((await bytesOf(await fetch(node.url + below.data.FileProperties[1]?.Link))).equals(big)).toBe(true)
  })

  it('is listed in pages', async () => {
    const answer = await inFolder('?page=1&count=1')
    expect(await answer.json()).toMatchObject({ data: { Total: 2, FileProperties: [{ FileName: 'docs' }] } })
  })

  it('serves its files, also by ranges', async () => {
    const path = `/docs/${encodeURIComponent('大.bin')}`
    const whole = await inFolder(path)
    expect((await bytesOf(whole)).equals(big)).toBe(true)
    const range = await inFolder(path, { headers: { range: 'bytes=262000-1048999' } })
    expect([range.status, range.headers.get('content-range')]).toEqual([206, 'bytes 262000-1048999/1500000'])
    expect((await bytesOf(range)).equals(big.subarray(262_000, 1_049_000))).toBe(true)
    const page = await inFolder('/docs/page.html')
    expect(page.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('returns the inner blocks of a file in it', async () => {
    const { blocks, roots } = await blocksOf(await inFolder(`/docs/${encodeURIComponent('大.bin')}?format=inner`))
    expect([roots, blocks.length]).toEqual([[blocks[0]?.cid.toString()], 1])
  })

  it('is returned as an archive that supports ranges', async () => {
    const answer = await inFolder('?format=car')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${folder.cid}.car"`)
    expect((await bytesOf(answer)).equals(folder.archive)).toBe(true)
    const range = await inFolder('?format=car', { headers: { range: 'bytes=100-199' } })
    expect((await bytesOf(range)).equals(folder.archive.subarray(100, 200))).toBe(true)
  })

  it('is returned depth first and without duplicate blocks on request', async () => {
    const { cids } = await blocksOf(
      await inFolder('', { headers: { accept: 'application/vnd.ipld.car; order=dfs; dups=n' } }),
    )
    expect(cids[0]).toBe(folder.cid)
    expect(new Set(cids)).toEqual(new Set(folder.blocks.map((block) => block.cid.toString())))
    expect(cids.length).toBe(new Set(cids).size)
  })

  it('proves a path in an archive', async () => {
    const { roots, cids } = await blocksOf(await inFolder('/docs/page.html?format=car&dag-scope=entity'))
    expect([roots, cids.length, cids[0]]).toEqual([[folder.cid], 3, folder.cid])
  })

  it.each([
    ['', folderCid, `${folderCid}.tar`],
    ['&filename=mine', 'mine', 'mine.tar'],
    ['&filename=mine.tar', 'mine', 'mine.tar'],
    ['&filename=..%2F..%2Fetc', '.._.._etc', '.._.._etc.tar'],
    ['&filename=..', folderCid, `${folderCid}.tar`],
  ])('comes as a tar whose top folder is called as asked for: %j', async (query, top, name) => {
    const answer = await inFolder(`?format=tar${query}`)
    const cid = (text: string) => text.replace(folderCid, folder.cid)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${cid(name)}"`)
    const files = new Map<string, string>()
    for await (const entry of readTar(once(await bytesOf(answer)))) {
      const hash = createHash('sha256')
      for await (const piece of entry.body) hash.update(piece)
      if (entry.kind === 'file') files.set(entry.name, hash.digest('hex'))
    }
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect([...files]).toEqual([
      [`${cid(top)}/a b.txt`, digest(Buffer.from('hello'))],
      [`${cid(top)}/docs/page.html`, digest(Buffer.from('<script>'))],
      [`${cid(top)}/docs/大.bin`, digest(big)],
    ])
  })

  it('has another ETag under another name', async () => {
    const etags = await Promise.all(
      ['', '&filename=a', '&filename=b', '&filename=b.tar'].map(async (query) => {
        const answer = await inFolder(`?format=tar${query}`)
        await answer.body?.cancel()
        return answer.headers.get('etag')
      }),
    )
    expect(new Set(etags).size).toBe(3)
  })

  it('returns 404 for entries that it does not have', async () => {
    for (const path of ['/nothing', '/a%20b.txt/below', '/docs/nothing?format=car', '/docs/nothing?format=raw'])
      expect([path, (await inFolder(path)).status]).toEqual([path, 404])
    expect((await inFolder('/%2e%2e/x')).status).not.toBe(200)
    expect((await inFolder('?format=inner')).status).toBe(400)
  })
})
