import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { createFileHasher } from '@tidenet/content'
import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import { freePort } from '@tidenet/testnet/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { send, signUp, type UploadInfo, until, type WireClient, wireClient } from './wire-client.ts'

/** Received requests as text: request line, headers and the beginning of the body. */
let heard: string[] = []
const listeners: Server[] = []
let network: Network

/** A proxy in front of a node that records what clients send. */
async function listening(): Promise<{ url: string; port: number }> {
  const port = await freePort()
  const server = createServer((asked, answer) => {
    const index = heard.push(`${asked.method} ${asked.url}\n${asked.rawHeaders.join('\n')}`) - 1
    const on = request(
      { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers: asked.headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders)
        answered.pipe(answer)
      },
    )
    on.on('error', () => answer.destroy())
    answer.on('close', () => on.destroy())
    asked.on('data', (chunk: Buffer) => {
      if ((heard[index]?.length ?? 0) < 8192) heard[index] += chunk.subarray(0, 4096).toString('latin1')
    })
    asked.pipe(on)
  })
  listeners.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, port }
}

beforeAll(async () => {
  const places = await Promise.all([listening(), listening(), listening()])
  network = await startNetwork({
    nodes: places.map((place, index) => ({ kind: index === 0 ? 'edge' : 'candidate', ...place }) as const),
  })
})
afterAll(async () => {
  await network?.stop()
  for (const server of listeners) {
    server.closeAllConnections()
    server.close()
  }
})

const random = (size: number) => new Uint8Array(randomBytes(size))
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
async function cidOf(bytes: Uint8Array): Promise<string> {
  const hasher = createFileHasher()
  hasher.update(bytes)
  return (await hasher.finish()).cid.toString()
}

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}
const sdk = (token: string): Storage => createStorage({ url: network.url, token })
const addresses = async (client: WireClient, cid: string) =>
  (await client.get<{ url: string[]; node_ids: string[] }>('/api/v1/storage/share_asset', { asset_cid: cid })).data

const info = async (client: WireClient, query: Record<string, string | number>) =>
  (await client.get<UploadInfo>('/api/v1/storage/get_upload_info', query)).data

describe('content registered with another file’s MD5', () => {
  it('is not returned to a later uploader of the real file', async () => {
    const [attacker, victim] = [await signUp(network.url), await signUp(network.url)]
    const [real, fake] = [random(3_000_000), random(3_000_000)]
    const { cid } = await attacker.upload(fake, 'fake.bin')
    await attacker.get('/api/v1/storage/delete_asset', { asset_cid: cid })
    const slot = (await info(attacker, {})).List[0]
    const { receipt } = await send(slot, fake)
    const poison = {
      asset_name: 'x',
      asset_type: 'file',
      asset_size: 3_000_000,
      asset_cid: cid,
      md5: md5(real),
      receipt,
    }
    expect(await attacker.post('/api/v1/storage/create_asset', poison)).toMatchObject({ code: 0 })

    const uploaded = data(await sdk(victim.token).uploadAsset(real, { name: 'real.bin' }))
    expect(uploaded).toMatchObject({ cid: await cidOf(real), isFastUpload: false })
    const { blob } = data(await sdk(victim.token).downloadAsset({ assetCid: uploaded.cid, to: 'blob' }))
    expect(sha256(new Uint8Array(await (blob as Blob).arrayBuffer()))).toBe(sha256(real))
    const wire = await signUp(network.url)
    await wire.upload(real, 'real.bin')
    expect(await wire.list()).toMatchObject([{ cid: uploaded.cid }])
  })
})

describe('a proof of possession', () => {
  const prove = (client: WireClient, id: string, cid: string, digest: string) =>
    client.post<{ proof: string }>('/api/v1/storage/upload_proof', { id, cid, sha256: digest })

  it.each([
    ['one block', 200_000],
    ['many blocks', 2_000_000],
  ])('for a file of %s needs its bytes, not only its hashes and size', async (_, size) => {
    const [owner, other] = [await signUp(network.url), await signUp(network.url)]
    const bytes = random(size)
    const { cid } = await owner.upload(bytes, 'known.bin')
    const ask = async () => (await info(other, { md5: md5(bytes), size, proof: 'true' })).Proof
    const digest = createHash('sha256').update(bytes).digest('hex')
    for (const guess of [digest, md5(bytes).padEnd(64, '0'), '0'.repeat(64), sha256(bytes.subarray(0, 65_536))]) {
      const asked = await ask()
      expect(await prove(other, asked?.id ?? '', cid, guess)).toMatchObject({ code: -1, err: 10027 })
    }
    const { id = '', offset = 0, length = 0 } = (await ask()) ?? {}
    const right = sha256(bytes.subarray(offset, offset + length))
    expect(await prove(await signUp(network.url), id, cid, right)).toMatchObject({ code: -1, err: 10027 })
    const answer = await prove(other, id, cid, right)
    expect(answer.code).toBe(0)
    expect(await prove(other, id, cid, right)).toMatchObject({ code: -1, err: 10027 })
    const create = { asset_name: 'k', asset_type: 'file', asset_size: size, asset_cid: cid, proof: answer.data.proof }
    const thief = await signUp(network.url)
    expect(await thief.post('/api/v1/storage/create_asset', create)).toMatchObject({ code: -1, err: 10027 })
    expect(await other.post('/api/v1/storage/create_asset', create)).toMatchObject({ code: 0, data: [] })
    expect(Buffer.from(await other.download(cid)).equals(bytes)).toBe(true)
  })
})

describe('an upload token', () => {
  it('stores one content once, on its node, up to its size, for its account', async () => {
    const [person, other] = [await signUp(network.url), await signUp(network.url)]
    const bytes = random(5000)
    const { List } = await info(person, { size: 5000 })
    const [first, second] = List
    expect(await send({ UploadURL: second?.UploadURL ?? '', Token: first?.Token ?? '' }, bytes)).toMatchObject({
      status: 403,
    })
    expect(await send(first, random(5001))).toMatchObject({ status: 413 })
    expect(await send(first, random(4999))).toMatchObject({ status: 422 })
    expect(await send({ UploadURL: first?.UploadURL ?? '', Token: '' }, bytes)).toMatchObject({ status: 401 })
    const [head, , signature] = first?.Token.split('.') ?? []
    const claims = JSON.parse(Buffer.from(first?.Token.split('.')[1] ?? '', 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, size: undefined, max: 1e12 })).toString('base64url')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const Token of [`${head}.${forged}.${signature}`, `${none}.${forged}.`, person.token])
      expect(await send({ UploadURL: first?.UploadURL ?? '', Token }, bytes)).toMatchObject({ status: 401 })
    const { cid, receipt } = await send(first, bytes)
    expect(await send(first, random(5000))).toMatchObject({ status: 403 })
    expect(await send(first, bytes)).toMatchObject({ status: 200, cid, receipt })
    const create = { asset_name: 'k', asset_type: 'file', asset_size: 5000, asset_cid: cid, receipt }
    expect(await other.post('/api/v1/storage/create_asset', create)).toMatchObject({ code: -1, err: 10027 })
    expect(await person.post('/api/v1/storage/create_asset', create)).toMatchObject({ code: 0 })
  })

  it('cannot make the node fetch other URLs', async () => {
    const { List } = await info(await signUp(network.url), {})
    const { origin } = new URL(List[0]?.UploadURL ?? '')
    for (const path of ['/uploadv3', '/statusv3', '/rpc', '/rpc/v0', '/monitor', '/stats', '/debug/pprof/'])
      for (const method of ['GET', 'POST'])
        expect(
          (await fetch(origin + path, { method, headers: { authorization: `Bearer ${List[0]?.Token}` } })).status,
        ).toBe(404)
  })
})

describe('bytes on a node', () => {
  const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36' }
  const at = async (address: string, change: (url: URL) => void, headers: Record<string, string> = {}) => {
    const url = new URL(address)
    change(url)
    return fetch(url, { headers, redirect: 'manual' })
  }

  /** Like a browser that follows a link. */
  const visited = (address: string, headers: Record<string, string>) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      request(address, { headers: { ...headers, 'sec-fetch-mode': 'navigate' } }, (answer) => resolve(answer.resume()))
        .on('error', reject)
        .end(),
    )

  it('require a token for this content and this node, whatever the client', async () => {
    const person = await signUp(network.url)
    const [one, two] = [random(300_000), random(300_000)]
    const [{ cid }, { cid: other }] = [await person.upload(one, 'one'), await person.upload(two, 'two')]
    const places = await until(async () => {
      const found = await addresses(person, cid)
      return found.url.length > 1 && found
    })
    const [first = '', second = ''] = places.url
    const token = (url: string) => new URL(url).searchParams.get('token') ?? ''
    expect((await fetch(first, { headers: BROWSER })).status).toBe(200)
    for (const headers of [
      {},
      BROWSER,
      { ...BROWSER, 'User-Token': token(first) },
      { ...BROWSER, cookie: `token=${token(first)}` },
    ]) {
      const refused = await at(first, (url) => url.searchParams.delete('token'), headers)
      expect(refused.status).toBe(401)
      expect(await refused.json()).toMatchObject({ code: -1, err: 10012 })
    }
    const page = await visited(first.replace(/token=[^&]*&?/, ''), BROWSER)
    expect(page.statusCode).toBe(302)
    expect(page.headers.location).toBe(`${network.url}/redirect?errCode=10012`)
    expect(page.headers['cache-control']).toBe('no-store')
    // Of the other content at the same node.
    const otherUrl = await until(async () => {
      const found = await addresses(person, other)
      return found.url[found.node_ids.indexOf(places.node_ids[0] ?? '')]
    })
    for (const foreign of [second, otherUrl])
      for (const format of ['', 'raw', 'car', 'inner', 'tar']) {
        const refused = await at(first, (url) => {
          url.searchParams.set('token', token(foreign))
          if (format) url.searchParams.set('format', format)
        })
        expect([403, 404]).toContain(refused.status)
        expect((await refused.arrayBuffer()).byteLength).toBeLessThan(1000)
      }
    for (const wrong of ['x', person.token, `${token(first).slice(0, -4)}AAAA`])
      expect((await at(first, (url) => url.searchParams.set('token', wrong))).status).toBe(401)
    expect(
      (
        await at(first, (url) => {
          url.pathname = `/ipfs/${cid}/../../../etc/passwd`
        })
      ).status,
    ).toBeGreaterThanOrEqual(400)
  })

  it('let no page of another origin use the browser’s credentials', async () => {
    const person = await signUp(network.url)
    const { cid } = await person.upload(random(1000), 'c')
    const { url } = await addresses(person, cid)
    const answers = [
      await fetch(url[0] ?? '', { headers: { origin: 'https://evil.example' } }),
      await fetch(url[0] ?? '', {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-headers': 'authorization' },
      }),
      await fetch(`${network.url}/api/v1/storage/get_asset_list`, { headers: { origin: 'https://evil.example' } }),
      await fetch(`${network.url}/api/v1/storage/get_asset_list`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example' },
      }),
    ]
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('set-cookie')).toBeNull()
    }
    expect(answers[0]?.headers.get('access-control-expose-headers')).toContain('Content-Range')
    expect(answers[1]?.headers.get('access-control-allow-headers')).toContain('Authorization')
    for (const path of ['/', '/dev/mailbox', '/dev/mailbox.json'])
      expect(
        (await fetch(network.url + path, { headers: { origin: 'https://evil.example' } })).headers.get(
          'access-control-allow-origin',
        ),
      ).toBeNull()
  })
})

describe('what our own client sends to nodes', () => {
  it('never gets the session or API key of the account', async () => {
    const person = await signUp(network.url)
    const { data: made } = await person.get<{ key: string; secret: string }>('/api/v1/storage/create_key', {
      key_name: 'k',
    })
    heard = []
    for (const credential of [person.token, made.key]) {
      const storage = sdk(credential)
      const bytes = random(9_000_000)
      const { cid } = data(await storage.uploadAsset(bytes, { name: 'a.bin' }))
      const tree = [1, 2, 3].map((n) => ({ path: `t/${n}`, file: random(1000 * n) }))
      const folder = data(await storage.uploadAsset(tree, { name: 't' }))
      data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
      data(await storage.downloadAsset({ assetCid: folder.cid, to: 'blob' }))
    }
    const sent = heard.join('\n')
    expect(sent).toContain('PATCH')
    expect(sent).toContain('/ipfs/')
    for (const secret of [person.token, made.key, made.secret, person.username, person.password])
      expect(sent.includes(secret)).toBe(false)
    expect(sent).not.toMatch(/jwtauthorization|^cookie$/im)
  })
})

describe('as time passes', () => {
  it('node tokens and session tokens expire', async () => {
    const person = await signUp(network.url)
    const { cid } = await person.upload(random(1000), 'late')
    const { url } = await addresses(person, cid)
    const slot = (await info(person, {})).List[0]
    expect((await fetch(url[0] ?? '')).status).toBe(200)
    await network.moveClock(3_700_000)
    expect((await fetch(url[0] ?? '')).status).toBe(401)
    await network.moveClock(24 * 3600_000)
    expect(await send(slot, random(1000))).toMatchObject({ status: 401 })
    expect(await person.get('/api/v1/storage/get_asset_list')).toMatchObject({ code: 401 })
    expect(await wireClient(network.url).get('/api/v2/health')).toMatchObject({ code: 0 })
  })
})
