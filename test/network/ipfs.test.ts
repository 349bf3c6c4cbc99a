import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { readCar } from '@tidenet/content/car'
import { cidOfDigest, DAG_PB, parseCid, RAW } from '@tidenet/content/cid'
import { readNode } from '@tidenet/content/unixfs'
import type { Network } from '@tidenet/testnet'
import { base16 } from 'multiformats/bases/base16'
import { base36 } from 'multiformats/bases/base36'
import { CID } from 'multiformats/cid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, data, publisher } from './ipfs-client.ts'
import { startNetwork } from './test-network.ts'
import { until } from './wire-client.ts'

/** The public IPFS gateway, as clients of IPFS and browsers see it: what is published, and that nothing else is. */

const KiB = 1024
type Publisher = Awaited<ReturnType<typeof publisher>>
let network: Network
let owner: Publisher
/** A published file of several blocks, and a published folder with it. */
let file: string
let folder: string
const bytes = new Uint8Array(randomBytes(900 * KiB))
const files = [
  { path: 'pictures/a b.txt', file: new File(['first'], 'a b.txt') },
  { path: 'pictures/large.bin', file: new File([bytes], 'large.bin') },
  { path: 'site/index.html', file: new File(['<h1>Hello</h1>'], 'index.html') },
  { path: '<b>.txt', file: new File(['tag'], '<b>.txt') },
]
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 }, ipfs: { port: 0 } })
  owner = await publisher(network)
  file = await owner.published(bytes, 'large.bin')
  folder = await owner.published(files, 'tree')
}, 120_000)
afterAll(() => network?.stop())

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(network.ipfsUrl, path, headers, method)
const raw = { accept: 'application/vnd.ipld.raw' }
const car = (more = '') => ({ accept: `application/vnd.ipld.car${more}` })

async function blocksOf(body: Buffer) {
  const reading = readCar(new Blob([new Uint8Array(body)]).stream())
  const roots = (await reading.roots).map(String)
  const blocks: { cid: string; bytes: Uint8Array }[] = []
  for await (const { cid, bytes } of reading.blocks) blocks.push({ cid: cid.toString(), bytes })
  return { roots, blocks, cids: blocks.map(({ cid }) => cid) }
}
const linksOf = (cid: string, block: Uint8Array) => readNode(parseCid(cid), block).links

describe('blocks', () => {
  it('of a published root, its inner nodes and its leaves are sent raw', async () => {
    const root = await get(`/ipfs/${file}?format=raw`)
    expect(root).toMatchObject({ status: 200, headers: { 'content-type': 'application/vnd.ipld.raw' } })
    expect(createHash('sha256').update(root.body).digest()).toEqual(Buffer.from(parseCid(file).multihash.digest))
    const links = linksOf(file, root.body)
    expect(links.length).toBeGreaterThan(2)
    const leaves = await Promise.all(links.map(({ cid }) => get(`/ipfs/${cid}`, raw)))
    expect(Buffer.concat(leaves.map(({ body }) => body)).equals(Buffer.from(bytes))).toBe(true)
  })

  it('have the headers of the specification', async () => {
    const { headers } = await get(`/ipfs/${file}?format=raw`)
    expect(headers).toMatchObject({
      etag: `"${file}.raw"`,
      'cache-control': 'public, max-age=29030400, immutable',
      'x-content-type-options': 'nosniff',
      'x-ipfs-roots': file,
      'x-ipfs-path': `/ipfs/${file}`,
      'access-control-allow-origin': '*',
      'content-disposition': `attachment; filename="${file}.bin"`,
    })
    // Kubo takes no more.
    expect(JSON.stringify(headers).length).toBeLessThan(2 * KiB)
    const again = await get(`/ipfs/${file}?format=raw`, { 'if-none-match': `W/"x", "${file}.raw"` })
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) })
  })

  it('are found by CIDs of every base and version, and of other codecs for the same bytes', async () => {
    const cid = parseCid(file)
    const names = [cid.toString(base36), cid.toString(base16), CID.createV0(cid.multihash as never).toString()]
    names.push(CID.createV1(0x71, cid.multihash).toString(), CID.createV1(RAW, cid.multihash).toString())
    const expected = (await get(`/ipfs/${file}?format=raw`)).body
    for (const name of names) {
      const answer = await get(`/ipfs/${name}`, raw)
      expect([name, answer.status]).toEqual([name, 200])
      expect(answer.body.equals(expected)).toBe(true)
    }
    expect((await get(`/ipfs/${names[3]}?format=car`)).status).toBe(501)
    expect((await get(`/ipfs/${names[3]}?format=car&dag-scope=block`)).status).toBe(200)
  })

  it('that are their own CID need no publication', async () => {
    expect((await get('/ipfs/bafkqaaa', raw, 'HEAD')).status).toBe(200)
    expect((await get('/ipfs/bafkqabtimvwgy3yk?format=raw')).body.toString()).toBe('hello\n')
  })
})

describe('archives', () => {
  it('have the whole DAG, depth first, each block once', async () => {
    const { headers, body } = await get(`/ipfs/${folder}`, car('; order=dfs; dups=n'))
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.ipld.car; version=1; order=dfs; dups=n',
      'content-disposition': `attachment; filename="${folder}.car"`,
      'accept-ranges': 'none',
    })
    expect(headers.etag).toMatch(/^W\//)
    const { roots, cids } = await blocksOf(body)
    expect(roots).toEqual([folder])
    expect(cids[0]).toBe(folder)
    expect(new Set(cids).size).toBe(cids.length)
    expect(cids).toContain(file)
  })

  it('have less with dag-scope and entity-bytes, and the blocks of the path', async () => {
    const cids = async (query: string, path = '') =>
      (await blocksOf((await get(`/ipfs/${folder}${path}?format=car&${query}`)).body)).cids
    expect(await cids('dag-scope=block')).toEqual([folder])
    const listed = await cids('dag-scope=entity')
    expect(listed).toEqual([folder])
    const path = await cids('dag-scope=block', '/pictures/large.bin')
    expect(path).toHaveLength(3)
    expect(path.at(-1)).toBe(file)
    const part = await cids('entity-bytes=0:9', '/pictures/large.bin')
    expect(part).toHaveLength(4)
    const whole = await cids('dag-scope=entity', '/pictures/large.bin')
    expect(whole.length).toBeGreaterThan(5)
  })

  it('can repeat blocks', async () => {
    const twice = ['x/1', 'x/2'].map((path) => ({ path, file: new File(['the same'], path.slice(-1)) }))
    const cid = await owner.published(twice, 'twice')
    const count = async (dups: string) =>
      (await blocksOf((await get(`/ipfs/${cid}?format=car&car-dups=${dups}`)).body)).cids.length
    expect(await count('y')).toBe((await count('n')) + 1)
  })
})

describe('files', () => {
  it('are sent with type, name and ranges', async () => {
    const whole = await get(`/ipfs/${folder}/pictures/large.bin`)
    expect(whole.body.equals(Buffer.from(bytes))).toBe(true)
    expect(whole.headers).toMatchObject({
      etag: `"${file}"`,
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      'content-length': String(bytes.length),
    })
    expect(String(whole.headers['x-ipfs-roots']).split(',')).toHaveLength(3)
    const part = await get(`/ipfs/${file}`, { range: 'bytes=300000-300009' })
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 300000-300009/${bytes.length}` } })
    expect(part.body.equals(Buffer.from(bytes.subarray(300_000, 300_010)))).toBe(true)
    const last = await get(`/ipfs/${file}`, { range: 'bytes=-5' })
    expect(last.body.equals(Buffer.from(bytes.subarray(-5)))).toBe(true)
    expect((await get(`/ipfs/${file}`, { range: 'bytes=9999999-' })).status).toBe(416)
    expect((await get(`/ipfs/${file}`, {}, 'HEAD')).headers['content-length']).toBe(String(bytes.length))
    const named = await get(`/ipfs/${folder}/pictures/a%20b.txt?download=true&filename=%E6%96%87.txt`)
    expect(named.body.toString()).toBe('first')
    expect(named.headers['content-disposition']).toMatch(/^attachment; .*%E6%96%87\.txt/)
  })

  it('of a folder are listed in the language of the reader, or index.html is shown', async () => {
    expect(await get(`/ipfs/${folder}/pictures?x=1`)).toMatchObject({
      status: 301,
      headers: { location: `/ipfs/${folder}/pictures/?x=1` },
    })
    const list = await get(`/ipfs/${folder}/`, { 'accept-language': 'zh-CN,zh;q=0.9' })
    expect(list.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(list.body.toString()).toContain('lang="zh-CN"')
    expect(list.body.toString()).toContain('&lt;b&gt;.txt')
    expect(list.body.toString()).not.toContain('<b>.txt')
    expect((await get(`/ipfs/${folder}/`)).headers.etag).not.toBe(list.headers.etag)
    const index = await get(`/ipfs/${folder}/site/`)
    expect(index.body.toString()).toBe('<h1>Hello</h1>')
    expect(index.headers['content-type']).toContain('text/html')
  })

  it('run nothing in the browser', async () => {
    for (const path of [`/ipfs/${folder}/site/`, `/ipfs/${folder}/`, `/ipfs/${file}?filename=a.svg`]) {
      const { headers } = await get(path)
      expect(headers['content-security-policy']).toMatch(/^sandbox;/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await get(`/ipfs/${folder}/site/index.html`, { 'service-worker': 'script' })).status).toBe(400)
  })
})

describe('a folder of single files', () => {
  it('has the CID that it would have as one item, and is read like one', async () => {
    const person = await publisher(network)
    const { api } = person.storage
    const create = async (name: string, parent: number) =>
      data(await api.call('folders.create', { name, parent })).group.ID
    const top = await create('tree', 0)
    const places = new Map<string, number>([['', top]])
    for (const { path, file: one } of files) {
      const [folderName = '', name = folderName] = path.includes('/') ? path.split('/') : ['', path]
      if (!places.has(folderName)) places.set(folderName, await create(folderName, top))
      data(await person.storage.uploadAsset(one, { name, groupId: places.get(folderName) ?? 0 }))
    }
    data(await api.call('publications.createFolder', { folder_id: top }))
    const published = async () => data(await api.call('publications.list', { folder_id: top })).list[0]
    await until(async () => (await published())?.state === 'ready', 30_000)
    const { cid } = (await published()) ?? { cid: '' }
    expect(cid).toBe(folder)
    // What others published of the same is gone.
    for (const each of [file, folder]) await owner.unpublish(each)
    const large = await get(`/ipfs/${cid}/pictures/large.bin`)
    expect(large.status).toBe(200)
    expect(large.body.equals(Buffer.from(bytes))).toBe(true)
    expect((await get(`/ipfs/${cid}/pictures/`)).body.toString()).toContain('a b.txt')
    expect((await get(`/ipfs/${cid}/site/`)).body.toString()).toBe('<h1>Hello</h1>')
    const archive = await blocksOf((await get(`/ipfs/${cid}`, car('; order=dfs; dups=n'))).body)
    expect(archive.roots).toEqual([cid])
    expect(archive.cids).toContain(file)
    expect((await get(`/ipfs/${file}`)).status).toBe(200)
    data(await api.call('publications.removeFolder', { folder_id: top }))
    for (const each of [cid, file]) await until(async () => (await get(`/ipfs/${each}`)).status === 404, 5000)
    for (const each of [file, folder]) await owner.publish(each)
  }, 90_000)
})

describe('documents', () => {
  it('of a codec are sent as they are, and never converted', async () => {
    const text = '{"a":[1,2]}'
    const cid = parseCid(await owner.published(new TextEncoder().encode(text), 'data.json'))
    const [json, dagJson] = [0x0200, 0x0129].map((code) => CID.createV1(code, cid.multihash).toString())
    const typeOf = async (path: string, accept?: string) => {
      const { status, headers, body } = await get(path, accept === undefined ? {} : { accept })
      if (status !== 200) return status
      expect(body.toString()).toBe(text)
      return headers['content-type']
    }
    expect(await typeOf(`/ipfs/${dagJson}`)).toBe('application/vnd.ipld.dag-json')
    expect(await typeOf(`/ipfs/${dagJson}?format=json`)).toBe('application/json')
    expect(await typeOf(`/ipfs/${dagJson}`, 'application/json')).toBe('application/json')
    expect(await typeOf(`/ipfs/${dagJson}?format=dag-cbor`)).toBe(406)
    expect(await typeOf(`/ipfs/${json}?format=dag-json`)).toBe(406)
    // A file is what its name says, for clients that take nothing else, and for those that take anything.
    for (const accept of ['application/json', 'application/json, */*', 'application/json, text/plain, */*'])
      expect(await typeOf(`/ipfs/${cid}?filename=data.json`, accept)).toBe('application/json')
    expect(await typeOf(`/ipfs/${cid}?filename=data.json&format=json`)).toBe(406)
    expect((await get(`/ipfs/${file}`, { accept: 'application/json, text/plain, */*' })).status).toBe(200)
  })

  it('are of the format in the address, whatever Accept says', async () => {
    expect((await get(`/ipfs/${file}?format=raw`, car())).headers['content-type']).toBe('application/vnd.ipld.raw')
    expect((await get(`/ipfs/${file}?format=raw`, { accept: 'application/json' })).status).toBe(200)
  })
})

describe('routing', () => {
  it('names the gateway as a provider of what is published', async () => {
    const { status, headers, body } = await get(`/routing/v1/providers/${file}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    const { Providers } = JSON.parse(body.toString())
    expect(Providers).toEqual([
      {
        Schema: 'peer',
        ID: expect.stringMatching(/^12D3KooW/),
        Addrs: [`/ip4/127.0.0.1/tcp/${new URL(network.ipfsUrl).port}/http`],
        Protocols: ['transport-ipfs-gateway-http'],
      },
    ])
    const [leaf] = linksOf(file, (await get(`/ipfs/${file}?format=raw`)).body)
    const lines = await get(`/routing/v1/providers/${leaf?.cid}`, { accept: 'application/x-ndjson' })
    expect(JSON.parse(lines.body.toString())).toEqual(Providers[0])
    expect(JSON.parse((await get(`/routing/v1/peers/${Providers[0].ID}`)).body.toString()).Peers).toHaveLength(1)
    expect(
      JSON.parse((await get(`/routing/v1/providers/${file}?filter-addrs=quic-v1`)).body.toString()).Providers,
    ).toEqual([])
  })
})

describe('private content', () => {
  it('and unknown content get the same answers, also after a publication ended', async () => {
    const secret = await owner.upload(new Uint8Array(randomBytes(600 * KiB)), 'secret.bin')
    const ended = await owner.published(new Uint8Array(randomBytes(1000)), 'ended.bin')
    expect((await get(`/ipfs/${ended}`)).status).toBe(200)
    await owner.unpublish(ended)
    await until(async () => (await get(`/ipfs/${ended}`)).status === 404, 3000)
    const unknown = [cidOfDigest(RAW, randomBytes(32)), cidOfDigest(DAG_PB, randomBytes(32))].map(String)
    const answers = async (cid: string) => {
      const all = await Promise.all(
        [
          `/ipfs/${cid}`,
          `/ipfs/${cid}/`,
          `/ipfs/${cid}/a`,
          `/ipfs/${cid}?format=raw`,
          `/ipfs/${cid}?format=car`,
          `/routing/v1/providers/${cid}`,
        ].map((path) => get(path)),
      )
      return all.map(({ status, headers: { date: _, ...headers }, body }) => ({
        status,
        headers,
        body: body.toString(),
      }))
    }
    const expected = await answers(unknown[0] ?? '')
    expect(expected.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 200])
    expect(JSON.parse(expected.at(-1)?.body ?? '')).toEqual({ Providers: [] })
    for (const cid of [...unknown, secret, ended]) expect(await answers(cid)).toEqual(expected)
    expect((await get(`/ipfs/${secret}`, { 'cache-control': 'only-if-cached' })).status).toBe(412)
  }, 60_000)

  it('of another account is served as part of a publisher’s folder only', async () => {
    const [one, two] = [await publisher(network), await publisher(network)]
    const same = new Uint8Array(randomBytes(300 * KiB))
    const alone = await one.upload(same, 'same.bin')
    const other = await one.upload(new Uint8Array(randomBytes(2000)), 'other.bin')
    expect((await get(`/ipfs/${alone}`)).status).toBe(404)
    const root = await two.published([{ path: 'f', file: new File([same], 'f') }], 'mine')
    await until(async () => (await get(`/ipfs/${alone}`)).body.equals(Buffer.from(same)), 3000)
    expect((await get(`/ipfs/${other}`)).status).toBe(404)
    await two.unpublish(root)
    await until(async () => (await get(`/ipfs/${alone}`)).status === 404, 3000)
    // It is still there for its owner.
    expect(data(await one.storage.downloadAsset({ assetCid: alone, to: 'blob' })).blob).toBeDefined()
  }, 60_000)

  it('is not reached by a block that only looks like a node with a link to it', async () => {
    const [victim, attacker] = [await publisher(network), await publisher(network)]
    const secret = parseCid(await victim.upload(new Uint8Array(randomBytes(1000)), 'secret.bin'))
    const { dagPbBlock, directoryData } = await import('@tidenet/content/unixfs')
    const node = await dagPbBlock([{ cidBytes: secret.bytes, name: 'x', cumulativeSize: 1000 }], directoryData())
    const leaf = await attacker.published(new Uint8Array(node.bytes), 'node.bin')
    expect((await get(`/ipfs/${leaf}?format=raw`)).status).toBe(200)
    for (const path of [`/ipfs/${node.cid}/x`, `/ipfs/${node.cid}/x?format=raw`, `/ipfs/${secret}`])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    expect((await get(`/ipfs/${node.cid}?format=car`)).status).toBe(501)
  }, 60_000)
})

describe('refuses', () => {
  it.each([
    ['/ipfs/', 400],
    ['/ipfs/not-a-cid', 400],
    [`/ipfs/${'b'.repeat(1000)}`, 400],
    ['//evil.test/ipfs/bafkqaaa', 400],
    ['http://evil.test/ipfs/bafkqaaa', 400],
    ['/ipns/example.org', 501],
    ['/routing/v1/ipns/k51', 501],
    ['/routing/v1/providers/x', 400],
    ['/api/v0/cat', 404],
    ['/ipfs/bafkqaaa?format=tar', 406],
    ['/ipfs/bafkqaaa?format=ipns-record', 400],
    ['/ipfs/bafkqaaa?format=car&dag-scope=every', 400],
    ['/ipfs/bafkqaaa?format=car&car-version=2', 400],
    ['/ipfs/bafkqaaa?format=car&entity-bytes=9:1', 400],
    ['/ipfs/bafkqaaa?format=car&car-dups=maybe', 400],
  ])('%s', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })

  it('paths that leave the folder or are written in tricky ways', async () => {
    for (const path of [
      '..',
      '%2e%2e',
      '.',
      'pictures%2Flarge.bin',
      'a%00b',
      '%ff',
      '%zz',
      'pictures/../../etc',
      `${'a/'.repeat(200)}b`,
    ])
      expect([path, (await get(`/ipfs/${folder}/${path}`)).status]).toEqual([path, 400])
    expect((await get(`/ipfs/${folder}/nothing`)).status).toBe(404)
    expect((await get(`/ipfs/${file}/nothing`)).status).toBe(404)
  })

  it('types that it does not have', async () => {
    for (const type of ['application/vnd.ipld.dag-json', 'application/json', 'application/cbor', 'application/x-tar'])
      expect([type, (await get(`/ipfs/${file}`, { accept: type })).status]).toEqual([type, 406])
    for (const format of ['json', 'cbor', 'dag-json', 'dag-cbor'])
      expect([format, (await get(`/ipfs/${file}?format=${format}`)).status]).toEqual([format, 406])
    expect((await get(`/ipfs/${folder}/`, { accept: 'application/json' })).status).toBe(406)
    expect((await get(`/ipfs/${file}`, car('; version=2'))).status).toBe(406)
  })

  it('writing, and requests with a body', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await get(`/ipfs/${file}`, {}, method)).status).toBe(405)
    expect((await ask(network.ipfsUrl, `/ipfs/${file}`, {}, 'GET', 'body')).status).toBe(400)
    expect((await get(`/ipfs/${file}`, { origin: 'https://x.test' }, 'OPTIONS')).status).toBe(204)
  })

  it('messages that can be read as two', async () => {
    const { hostname, port } = new URL(network.ipfsUrl)
    const answerTo = (text: string) =>
      new Promise<string>((resolve) => {
        let got = ''
        const socket = connect(Number(port), hostname, () => socket.write(text))
        socket.on('data', (part) => (got += part.toString('latin1')))
        socket.on('close', () => resolve(got))
        socket.on('error', () => resolve(got))
      })
    const smuggled = `GET /ipfs/bafkqaaa?format=raw HTTP/1.1\r\nHost: x\r\n\r\n`
    for (const head of [
      `Content-Length: ${smuggled.length}\r\nTransfer-Encoding: chunked\r\n`,
      `Content-Length: ${smuggled.length}\r\n`,
      'Transfer-Encoding: chunked\r\n',
    ]) {
      const answer = await answerTo(`GET /ipfs/bafkqaaa?format=raw HTTP/1.1\r\nHost: x\r\n${head}\r\n${smuggled}`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    }
  })
})
