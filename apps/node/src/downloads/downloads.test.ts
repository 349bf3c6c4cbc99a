import { createHash, randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { parseCid } from '@tidenet/content'
import { readCar } from '@tidenet/content/car'
import { readFileLayout, verifyLeaf } from '@tidenet/content/leaves'
import { readTar } from '@tidenet/content/tar'
import type { DownloadClaims } from '@tidenet/contract'
import { createClock } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { endedKey } from '../ended-shares.ts'
import { createTestEnv, randomFile, type TestEnv, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeFolder, type TestFolder } from '../test-folder.fixture.ts'

let env: TestEnv
let node: StorageNode
let file: { bytes: Buffer; cid: string }
let small: { bytes: Buffer; cid: string }
let folder: TestFolder
const big = randomBytes(1_500_000)
/** Placeholder for the CID of the folder, which is created later. */
const folderCid = 'CID'
const clock = createClock()

beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start({ clock })
  file = await randomFile(3_000_000)
  small = await randomFile(1000)
  folder = await makeFolder({
    'a b.txt': Buffer.from('hello'),
    docs: { '大.bin': big, 'page.html': Buffer.from('<script>') },
  })
  await upload(env, node, file.bytes)
  await upload(env, node, small.bytes)
  await uploadArchive(env, node, folder)
})
afterAll(() => env.stop())

type Options = { as?: string; claims?: Partial<DownloadClaims>; headers?: Record<string, string>; method?: string }

/** Requests with a token for `as`, by default the file. */
async function get(path: string, { as = file.cid, claims, headers, method = 'GET' }: Options = {}) {
  const token = await env.server.downloadToken(node.id, as, claims)
  return fetch(node.url + path, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
}
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
const headersOf = (answer: Response) => Object.fromEntries(answer.headers)
async function* once(bytes: Uint8Array) {
  yield bytes
}
async function blocksOf(answer: Response) {
  const reading = readCar(once(await bytesOf(answer)))
  const blocks = []
  for await (const block of reading.blocks) blocks.push(block)
  return { roots: (await reading.roots).map(String), blocks, cids: blocks.map((block) => block.cid.toString()) }
}

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

describe('a folder', () => {
  const inFolder = (path: string, options: Options = {}) =>
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

describe('sent bytes', () => {
  const served = (trace: string) =>
    env.server
      .of('served')
      .flatMap(
        ({ transfers }) =>
          transfers as { trace_id: string; bytes: number; requests: number; peak: number; account: string }[],
      )
      .filter((transfer) => transfer.trace_id === trace)
  const total = (trace: string) => served(trace).reduce((sum, transfer) => sum + transfer.bytes, 0)

  it('are reported by transfer', async () => {
    const arrived = env.server.until(() => total('t-ranges') >= 1300)
    for (const range of ['bytes=0-999', 'bytes=1000-1299'])
      await get(`/ipfs/${file.cid}`, { claims: { sub: 'owner', tid: 't-ranges' }, headers: { range } })
    await arrived
    expect(total('t-ranges')).toBe(1300)
    expect(served('t-ranges').every((transfer) => transfer.account === 'owner')).toBe(true)
    expect(served('t-ranges').reduce((sum, transfer) => sum + transfer.requests, 0)).toBe(2)
  })

  it('are reported with the speed of the network, not of filling a buffer', async () => {
    const arrived = env.server.until(() => total('t-speed') > 0)
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { tid: 't-speed' } })
    await arrived
    for (const { peak, bytes } of served('t-speed')) expect(peak).toBeLessThanOrEqual(bytes * 10)
  })

  it('are not counted between nodes, for HEAD requests, and if not sent', async () => {
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { typ: 'pull', tid: 't-none' } })
    await get(`/ipfs/${small.cid}?format=raw`, { as: small.cid, claims: { typ: 'audit', tid: 't-none' } })
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { tid: 't-none' }, method: 'HEAD' })
    const arrived = env.server.until(() => total('t-some') > 0)
    await get(`/ipfs/${small.cid}`, { as: small.cid, claims: { tid: 't-some' } })
    await arrived
    expect(total('t-none')).toBe(0)
  })
})

describe('a share that has ended', () => {
  it('invalidates its earlier tokens for this item of this account only', async () => {
    const path = `/ipfs/${small.cid}`
    const status = async (claims: Partial<DownloadClaims>) => {
      const answer = await get(path, { as: small.cid, claims })
      await answer.arrayBuffer()
      return answer.status
    }
    const ended = [
      { sub: 'owner', share: small.cid, ended: 6 },
      { sub: 'owner', share: '12', ended: 7 },
      { sub: 'owner', share: '99' },
    ]
    const going = [
      { sub: 'owner', share: small.cid, ended: 7 },
      { sub: 'owner', share: '12', ended: 8 },
      { sub: 'other', share: small.cid },
      { sub: 'owner' },
    ]
    const token = await env.server.downloadToken(node.id, small.cid, ended[0])
    const again = async () => (await fetch(`${node.url}${path}?token=${token}`)).status
    for (const claims of [...ended, ...going]) expect(await status(claims)).toBe(200)
    expect(await again()).toBe(200)
    env.server.ended = [
      { id: 7, key: endedKey('owner', small.cid) },
      { id: 8, key: endedKey('owner', '12') },
    ]
    await expect.poll(again, { timeout: 5000 }).toBe(401)
    for (const claims of ended) expect(await status(claims)).toBe(401)
    for (const claims of going) expect(await status(claims)).toBe(200)
    env.server.ended = []
  })
})

describe('a download is refused', () => {
  it('without a token, or with one that is not genuine or has expired', async () => {
    const expired = await env.server.downloadToken(node.id, file.cid, { exp: Math.floor(Date.now() / 1000) - 1 })
    for (const token of ['', 'nonsense', expired]) {
      const answer = await fetch(`${node.url}/ipfs/${file.cid}?token=${token}`)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ code: -1, err: 10012 })
    }
  })

  it('when its token has expired since', async () => {
    const token = await env.server.downloadToken(node.id, small.cid)
    const ask = async () => (await fetch(`${node.url}/ipfs/${small.cid}?token=${token}`)).status
    expect(await ask()).toBe(200)
    clock.move(2 * 3600_000)
    expect(await ask()).toBe(401)
    clock.move(0)
  })

  it('with the token of another content, of another node, or for uploads', async () => {
    const { cids } = await blocksOf(await get(`/ipfs/${folder.cid}?format=car`, { as: folder.cid }))
    expect((await get(`/ipfs/${small.cid}`)).status).toBe(403)
    expect((await get(`/ipfs/${cids[1]}`, { as: folder.cid })).status).toBe(403)
    expect((await get(`/ipfs/${small.cid}?format=raw`)).status).toBe(404)
    const foreign = await env.server.downloadToken('c_other', file.cid)
    const uploads = await env.server.uploadToken(node.id, { cid: file.cid })
    for (const token of [foreign, uploads])
      expect((await fetch(`${node.url}/ipfs/${file.cid}?token=${token}`)).status).toBe(403)
  })

  it('with an HTML page for browsers', async () => {
    // fetch() forbids this header.
    const answer = await new Promise<IncomingMessage>((resolve) =>
      request(`${node.url}/ipfs/${file.cid}`, { headers: { 'sec-fetch-mode': 'navigate' } }, resolve).end(),
    )
    answer.resume()
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe(`${env.server.url}/redirect?errCode=10012`)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('when the node does not have the content', async () => {
    const { cid } = await randomFile(10)
    expect((await get(`/ipfs/${cid}`, { as: cid })).status).toBe(404)
    expect((await get(`/ipfs/${cid}`, { as: cid, method: 'HEAD' })).status).toBe(412)
  })

  it.each([
    '/ipfs/nonsense',
    `/ipfs/bafyrei${'a'.repeat(52)}`,
    '/ipfs/CID?format=dag-json',
    '/ipfs/CID?format=car&dag-scope=x',
    '/ipfs/CID?format=car&entity-bytes=x',
    '/ipfs/CID?page=x',
  ])('at %s', async (path) => {
    const answer = await get(path.replace('CID', file.cid))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('pages of other origins', () => {
  it('may request ranges and read their headers', async () => {
    const answer = await fetch(`${node.url}/ipfs/${file.cid}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://portal.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,range,uploadindex',
      },
    })
    expect(answer.status).toBe(204)
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'range', 'uploadindex', 'jwtauthorization', 'lang']),
    )
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
  })
})
