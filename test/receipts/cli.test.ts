import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { earningsOf, formatAnchorAddress } from '@tidenet/receipts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAIN, createSampleNetwork, DAY, SAMPLES } from '../../packages/receipts/src/network.fixture.ts'

const program = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url))
const network = createSampleNetwork()
for (const claims of Object.values(SAMPLES)) network.issue(claims)
const foreign = createSampleNetwork('foreign')
foreign.issue(SAMPLES.upload)

/** A portal that publishes the key of the network, beside another one, and its address; and a chain with the anchor. */
let onChain: { height: string; tx: string } | undefined
const portal = createServer((request, answer) => {
  const path = request.url ?? ''
  if (path === '/chain/status') {
    const sync_info = { catching_up: false, earliest_block_height: '1' }
    return answer.end(JSON.stringify({ result: { node_info: { network: CHAIN }, sync_info } }))
  }
  if (path.startsWith('/chain/tx'))
    return answer.end(JSON.stringify(onChain ? { result: onChain } : { error: { data: 'tx not found' } }))
  const keys = [network, foreign].map(({ key }, at) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    kid: `${at === 0 ? 'tr' : 'tn'}-x`,
    x: key.publicKey,
  }))
  answer.end(request.url === '/.well-known/jwks.json' ? JSON.stringify({ keys, anchors }) : '{}')
})
let anchors: readonly object[]
let folder: string
let url: string
let config: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receipts-'))
  portal.listen(0, '127.0.0.1')
  await once(portal, 'listening')
  url = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`
})
afterAll(async () => {
  portal.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  anchors = network.identity.anchors
  onChain = undefined
  config = await mkdtemp(join(folder, 'config-'))
})

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, 'verify', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', TIDENET_LANG: 'en', TIDENET_CONFIG: config, TIDENET_URL: url, ...env },
  })
  let out = ''
  child.stdout.on('data', (text) => {
    out += text
  })
  let err = ''
  child.stderr.on('data', (text) => {
    err += text
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, out, err }
}

interface Report {
  list: {
    file: string
    result: string
    checks: { name: string; state: string }[]
    proven: string[]
    claims?: object
    key?: string
  }[]
  relations: { kind: string; files: string[] }[]
  recomputed: { file: string; result: string; missing: number[] }[]
}
async function report(args: string[], env?: Record<string, string>) {
  const { code, out, err } = await run([...args, '--json'], env)
  expect(err).toBe('')
  return { code, data: JSON.parse(out) as Report }
}

async function save(name: string, content: object | string) {
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

describe('tidenet verify', () => {
  it('accepts genuine receipts, and says what they state', async () => {
    const files = await Promise.all(Object.keys(SAMPLES).map((kind, at) => save(`${kind}.json`, network.file(at))))
    const { code, data } = await report(files)
    expect(code).toBe(0)
    expect(data.list.map(({ result }) => result)).toEqual(files.map(() => 'valid'))
    expect(data.list.map(({ claims }) => claims)).toMatchObject(Object.values(SAMPLES))
    expect((await run(files)).out).toContain(SAMPLES.upload.cid)
  })

  it('remembers the key of its portal, and then works without a network', async () => {
    const file = await save('upload.json', network.file(0))
    expect((await run([file])).code).toBe(0)
    const remembered = join(config, 'receipt-keys.json')
    expect((await stat(remembered)).mode & 0o777).toBe(0o600)
    await writeFile(remembered, (await readFile(remembered, 'utf8')).replace(url, 'http://127.0.0.1:9'))
    expect((await run([file], { TIDENET_URL: 'http://127.0.0.1:9' })).code).toBe(0)
    expect((await run([file, '--key', network.key.publicKey], { TIDENET_URL: 'http://127.0.0.1:8' })).code).toBe(0)
  })

  it('says what each receipt proves, offline and on a chain that is named', async () => {
    const anchor = await network.anchor(network.checkpoint())
    const file = await save('anchored.json', network.file(0, { anchor }))
    const proven = async (args: string[] = [], env?: Record<string, string>) =>
      (await report([file, ...args], env)).data.list[0]?.proven
    expect(await proven()).toEqual(['signed', 'logged', 'anchored'])
    onChain = { height: '12', tx: anchor.tx }
    expect(await proven(['--chain', `${url}/chain/`])).toEqual(['signed', 'logged', 'anchored', 'on_chain'])
    // A chain that does not answer proves nothing more, and nothing less.
    expect(await proven(['--chain', 'http://127.0.0.1:9'])).toEqual(['signed', 'logged', 'anchored'])
    const shown = await run([file, '--chain', `${url}/chain`])
    expect(shown.out).toContain(CHAIN)
    onChain = { height: '13', tx: anchor.tx }
    expect((await report([file, '--chain', `${url}/chain`])).code).toBe(1)
    onChain = undefined
    expect((await report([file, '--chain', `${url}/chain`])).code).toBe(1)
    const [address] = network.identity.anchors
    const by = ['--key', network.key.publicKey, '--operator', formatAnchorAddress(address!)]
    const elsewhere = { TIDENET_URL: 'http://127.0.0.1:9' }
    expect(await proven(by, elsewhere)).toEqual(['signed', 'logged', 'anchored'])
    expect(await proven(by.slice(0, 2), elsewhere)).toEqual(['signed', 'logged'])
  })

  it('does not call a receipt anchored because of a transaction of somebody else', async () => {
    const anchor = await foreign.anchor(network.checkpoint())
    const file = await save('anchored-by-others.json', network.file(0, { anchor }))
    anchors = []
    const unknown = await report([file])
    expect(unknown.data.list[0]).toMatchObject({ result: 'valid', proven: ['signed', 'logged'] })
    // The portal got a chain later: its address is added, and then stays.
    anchors = network.identity.anchors
    for (let time = 0; time < 2; time++) {
      const { code, data } = await report([file])
      expect(code).toBe(1)
      expect(data.list[0]?.checks).toContainEqual({ name: 'anchor', state: 'failed', reason: 'operator' })
      anchors = foreign.identity.anchors
    }
  })

  it('recomputes earnings from the receipts of their hours', async () => {
    const own = createSampleNetwork()
    const { version, traffic, storage } = earningsOf(SAMPLES.node_hour)
    const hour = { hour: DAY, version, receipt: 1000, traffic, storage }
    own.issue(SAMPLES.node_hour)
    own.issue({ ...SAMPLES.earnings, traffic, storage, hours: [hour] })
    own.issue({ ...SAMPLES.earnings, traffic: traffic + 1, storage, hours: [{ ...hour, traffic: traffic + 1 }] })
    own.issue({
      ...SAMPLES.earnings,
      traffic,
      storage,
      hours: [hour, { ...hour, hour: DAY + 3600, receipt: 7, traffic: 0, storage: 0 }],
    })
    const files = await Promise.all([0, 1, 2, 3].map((at) => save(`earned-${at}.json`, own.file(at))))
    const [ofHour, right, wrong, incomplete] = files as [string, string, string, string]
    const both = await report([ofHour, right])
    expect(both.code).toBe(0)
    expect(both.data.recomputed).toMatchObject([{ file: right, result: 'agrees' }])
    expect((await report([right])).data.recomputed).toEqual([])
    const different = await report([wrong, ofHour])
    expect(different.code).toBe(1)
    expect(different.data.recomputed).toMatchObject([{ result: 'differs', difference: { traffic: 1, storage: 0 } }])
    expect((await report([incomplete, ofHour])).data.recomputed).toMatchObject([{ result: 'missing', missing: [7] }])
  })

  it('never replaces a remembered key by another that the portal publishes', async () => {
    await writeFile(join(config, 'receipt-keys.json'), JSON.stringify({ [url]: [foreign.key.publicKey] }))
    const { code, data } = await report([await save('upload.json', network.file(0))])
    expect(code).toBe(1)
    expect(data.list[0]?.checks).toContainEqual({ name: 'network', state: 'failed', reason: 'foreign' })
  })

  it('fails if the key is not known, and shows that of the file', async () => {
    const { code, data } = await report([await save('upload.json', network.file(0))], {
      TIDENET_URL: 'http://127.0.0.1:9',
    })
    expect(code).toBe(1)
    expect(data.list).toMatchObject([{ result: 'unknown_network', key: network.key.publicKey }])
  })

  it('fails for foreign, forged and damaged files, and still checks the others', async () => {
    const good = await save('good.json', network.file(0))
    const bad = [
      await save('foreign.json', foreign.file(0)),
      await save('cut.json', JSON.stringify(network.file(0)).slice(0, -9)),
      await save('large.json', ' '.repeat(10_000_000)),
    ]
    const { code, data } = await report([good, ...bad])
    expect(code).toBe(1)
    expect(data.list.map(({ result }) => result)).toEqual(['valid', 'invalid', 'invalid', 'invalid'])
    const shown = await run([good, ...bad])
    expect(shown.code).toBe(1)
    for (const name of [good, ...bad]) expect(shown.out).toContain(name)
  })

  it('fails if genuine receipts contradict each other, or one is given twice', async () => {
    const other = createSampleNetwork()
    other.issue({ ...SAMPLES.upload, size: 1 })
    const files = [await save('one.json', network.file(0)), await save('other.json', other.file(0))]
    const { code, data } = await report(files)
    expect(code).toBe(1)
    expect(data.list.map(({ result }) => result)).toEqual(['valid', 'valid'])
    expect(data.relations).toContainEqual({ kind: 'same_id', files })
    expect((await report([files[0]!, await save('copy.json', network.file(0))])).code).toBe(1)
  })

  it('speaks Chinese', async () => {
    const file = await save('upload.json', network.file(0))
    expect((await run([file], { TIDENET_LANG: 'zh' })).out).toMatch(/[\u4e00-\u9fff]/)
  })

  it('refuses a key, an address or a chain that is none, a missing file, a folder and no file at all', {
    tags: ['long'],
  }, async () => {
    const file = await save('upload.json', network.file(0))
    expect((await run([file, '--key', 'secret'])).code).toBe(2)
    expect((await run([file, '--operator', 'secret'])).code).toBe(2)
    expect((await run([file, '--chain', 'secret'])).code).toBe(2)
    expect((await run([])).code).toBe(2)
    expect((await run(['missing.json'])).code).toBe(4)
    expect((await run(['.'])).code).toBe(1)
  })
})
