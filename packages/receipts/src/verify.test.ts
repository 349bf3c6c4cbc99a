import { describe, expect, it } from 'vitest'
import { toBase64, toBase64url, utf8 } from './bytes.ts'
import type { ChainLookup } from './chain.ts'
import type { ReceiptKind } from './claims.ts'
import { anchorMemo, type ReceiptFile, receiptKeyId } from './index.ts'
import {
  CHAIN,
  createSampleNetwork,
  DAY,
  forgedBy,
  SAMPLES,
  type SampleNetwork,
  sampleDownload,
  sampleKey,
} from './network.fixture.ts'
import { type CheckName, type VerifyOptions, verifyReceipt } from './verify.ts'

const KINDS = Object.keys(SAMPLES) as ReceiptKind[]
const network = createSampleNetwork()
for (const kind of KINDS) network.issue(SAMPLES[kind])
const foreign = createSampleNetwork('foreign')
for (const kind of KINDS) foreign.issue(SAMPLES[kind])
const known = network.identity

const verify = (file: object | string, options: VerifyOptions = known) =>
  verifyReceipt(typeof file === 'string' ? file : JSON.stringify(file), options)

/** A chain with the transaction of any anchor in this block. */
const chainWith = (height: number | undefined, status = { chain: CHAIN, earliest: 1 }): ChainLookup => ({
  status: async () => status,
  find: async () => (height === undefined ? undefined : { height }),
})

/** The failed checks with their reasons; empty for a valid file. */
async function failures(
  file: object | string,
  options: VerifyOptions = known,
): Promise<Partial<Record<CheckName, string>>> {
  const { checks, result } = await verify(file, options)
  const failed = checks.flatMap((check) => (check.state === 'failed' ? [[check.name, check.reason]] : []))
  expect(result === 'invalid').toBe(failed.length > 0)
  return Object.fromEntries(failed)
}

const file = network.file(0)
const [header = '', payload = '', signature = ''] = file.receipt.split('.')
const claimsOf = (at: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(network.file(at).receipt.split('.')[1]!, 'base64url').toString())

/** A file of one receipt that a network signed and logged, whatever it says. */
function logged(receipt: (network: SampleNetwork) => string, size = 1): ReceiptFile {
  const own = createSampleNetwork()
  const index = own.append(receipt(own))
  for (let more = 1; more < size; more++) own.issue(SAMPLES.upload)
  return own.file(index)
}
const stating = (at: number, changes: object): ReceiptFile =>
  logged((own) => own.sign({ ...claimsOf(at), index: 0, ...changes }))

describe('a receipt', () => {
  it.each(KINDS)('of kind %s is valid, in the tree of every size that contains it', async (kind) => {
    const index = KINDS.indexOf(kind)
    for (let size = index + 1; size <= KINDS.length; size++) {
      const { result, claims } = await verify(network.file(index, { size }))
      expect(result).toBe('valid')
      expect(claims).toMatchObject(SAMPLES[kind])
    }
  })

  it('is valid in any JSON layout, and names what was not asked', async () => {
    const { checks } = await verify(JSON.stringify(file, null, 2))
    expect(checks.filter(({ state }) => state === 'not_asked')).toEqual([
      { name: 'anchor', state: 'not_asked', reason: 'no_anchor' },
    ])
  })

  it('of an unknown network is not valid, but everything else is checked', async () => {
    const { result, checks, proven } = await verify(file, {})
    expect(result).toBe('unknown_network')
    expect(proven).toEqual([])
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([])
  })

  it('of another network is refused as such, and only for this reason', async () => {
    expect(await failures(foreign.file(0))).toEqual({ network: 'foreign' })
    expect(await failures(file, { keys: [...foreign.identity.keys, ...known.keys] })).toEqual({})
  })

  it('counts while its key was valid, and is refused if it was issued before or later', async () => {
    const { iat } = claimsOf(0) as { iat: number }
    const during = (from?: number, until?: number) =>
      failures(file, { keys: [{ key: network.key.publicKey, ...(from && { from }), ...(until && { until }) }] })
    expect(await during(iat, iat)).toEqual({})
    expect(await during(iat + 1)).toEqual({ network: 'validity' })
    expect(await during(undefined, iat - 1)).toEqual({ network: 'validity' })
  })

  it('that another key signed is refused', async () => {
    const forger = sampleKey('forger')
    expect(await failures(logged(() => forgedBy(forger, claimsOf(0))))).toEqual({ signature: 'header' })
    const underItsName = logged(() => forgedBy(forger, claimsOf(0), network.key.publicKey))
    expect(await failures(underItsName)).toEqual({ signature: 'signature' })
    // The forger puts its own key into the file and signs everything.
    const whole = { ...foreign.file(0), key: foreign.key.publicKey }
    expect(await failures(whole)).toEqual({ network: 'foreign' })
    expect(await failures({ ...foreign.file(0), key: network.key.publicKey })).toMatchObject({
      signature: 'header',
      checkpoint: 'unsigned',
    })
  })

  it('with changed claims is refused', async () => {
    const changed = toBase64url(utf8(JSON.stringify({ ...claimsOf(0), size: 2 })))
    expect(await failures({ ...file, receipt: `${header}.${changed}.${signature}` })).toEqual({
      signature: 'signature',
      inclusion: 'root',
    })
  })

  it.each([
    ['without an algorithm', { alg: 'none', typ: 'tidenet-receipt', kid: receiptKeyId(network.key.publicKey) }],
    [
      'with a secret instead of a key',
      { alg: 'HS256', typ: 'tidenet-receipt', kid: receiptKeyId(network.key.publicKey) },
    ],
    ['of another type', { alg: 'EdDSA', typ: 'JWT', kid: receiptKeyId(network.key.publicKey) }],
    ['with a key of its own', { alg: 'EdDSA', typ: 'tidenet-receipt', kid: 'x', jwk: {} }],
    [
      'with an extension',
      { alg: 'EdDSA', typ: 'tidenet-receipt', kid: receiptKeyId(network.key.publicKey), crit: ['b64'], b64: false },
    ],
  ])('%s in its header is refused, though it is signed', async (_, header) => {
    const signed = (own: SampleNetwork) => {
      const input = `${toBase64url(utf8(JSON.stringify(header)))}.${payload}`
      return `${input}.${own.key.sign(input)}`
    }
    expect(await failures(logged(signed))).toEqual({ signature: 'header' })
  })

  it.each([
    ['without a signature', `${header}.${payload}.`],
    ['cut off', file.receipt.slice(0, -1)],
    ['with a fourth part', `${file.receipt}.x`],
    [
      'with a second form of its last character',
      `${file.receipt.slice(0, -1)}${file.receipt.endsWith('A') ? 'B' : 'x'}`,
    ],
    ['with padding', `${file.receipt}=`],
    ['with a space', `${file.receipt} `],
    ['that is empty', ''],
  ])('%s is refused', async (_, receipt) =>
    expect(await failures({ ...file, receipt })).toMatchObject({ signature: 'jws' }),
  )

  it.each<[string, number, object]>([
    ['a negative size', 0, { size: -1 }],
    ['a size that is too large', 0, { size: 2 ** 53 }],
    ['half a byte', 0, { size: 1.5 }],
    ['a size as text', 0, { size: '1' }],
    ['no size', 0, { size: undefined }],
    ['nothing for a size', 0, { size: Number.NaN }],
    ['an unknown claim', 0, { more: 1 }],
    ['an unknown kind', 0, { kind: 'gift' }],
    ['the name of another log', 0, { iss: 'example.com' }],
    ['a line break in a name', 0, { node: 'e_1\ne_2' }],
    ['more signed bytes than were received', 1, { signed: 5_000_001 }],
    ['an hour that begins at half past', 2, { hour: DAY + 1800 }],
    ['more than a whole network that pays', 2, { paid_share: 1_000_001 }],
    ['a sum that is not the one of its hours', 6, { traffic: 2_500_001 }],
    ['an hour of another day', 6, { day: '2026-03-03' }],
    ['a day that does not exist', 6, { day: '2026-02-30', hours: [], traffic: 0, storage: 0 }],
    [
      'an hour far in the future',
      6,
      { hours: [{ hour: 9_007_199_254_738_800, version: 1, receipt: 1, traffic: 0, storage: 0 }] },
    ],
  ])('that states %s is refused', async (_, at, changes) =>
    expect(await failures(stating(at, changes))).toEqual({ claims: 'claims' }),
  )

  it.each([
    ['a key twice', (text: string) => text.replace('{', '{"size":1,')],
    ['a key twice, once escaped', (text: string) => text.replace('{', '{"\\u0073ize":1,')],
    ['a prototype', (text: string) => text.replace('{', '{"__proto__":{"size":1},')],
    ['a number with an exponent', (text: string) => text.replace('1048576', '1048576e0')],
    ['a number with a fraction', (text: string) => text.replace('1048576', '1048576.0')],
    ['a negative zero', (text: string) => text.replace('1048576', '-0')],
    ['something after it', (text: string) => `${text}{}`],
    ['no object', () => '[]'],
  ])('whose claims have %s is refused, though they are signed', async (_, change) => {
    const text = change(JSON.stringify(claimsOf(0)))
    const signed = (own: SampleNetwork) => {
      const input = `${header}.${toBase64url(utf8(text))}`
      return `${input}.${own.key.sign(input)}`
    }
    expect(await failures(logged(signed))).toEqual({ claims: 'claims' })
  })
})

describe('a download', () => {
  const download = (changes: object) => stating(KINDS.indexOf('download'), changes)

  it('is refused if the reader did not sign these bytes, this content, this trace or this node', async () => {
    for (const changes of [{ received: 5_000_001 }, { reader_key: sampleKey('other').publicKey }])
      expect(await failures(download(changes))).toEqual({ reader: 'signature' })
    for (const changes of [{ cid: 'bafkreiother' }, { trace: 'trace-2' }])
      expect(await failures(download(changes))).toEqual({ reader: 'signature', node: 'signature' })
  })

  it('is refused if the node did not sign, or the id is not that of the key', async () => {
    expect(await failures(download({ sent: 5_000_001 }))).toEqual({ node: 'signature' })
    const other = sampleDownload(5_000_000, { node: 'other' })
    expect(await failures(download({ ...other }))).toEqual({})
    expect(await failures(download({ node_key: other.node_key, node_signature: other.node_signature }))).toEqual({
      node: 'node_id',
    })
  })

  it('is refused if reader and node are exchanged', async () => {
    const { reader_key, reader_signature, node_key, node_signature } = sampleDownload()
    const exchanged = {
      node_key: reader_key,
      node_signature: reader_signature,
      reader_key: node_key,
      reader_signature: node_signature,
    }
    expect(await failures(download(exchanged))).toEqual({ reader: 'signature', node: 'node_id' })
  })
})

describe('the place in the log', () => {
  it('is refused if receipt and proof name different leaves', async () => {
    const moved = stating(0, { index: 5 })
    expect(await failures(moved)).toEqual({ index: 'index' })
    expect(await failures({ ...file, proof: { ...file.proof, index: 1 } })).toMatchObject({
      index: 'index',
      inclusion: 'root',
    })
  })

  it('is refused if the proof is that of another receipt or another size', async () => {
    expect(await failures({ ...file, proof: { ...network.file(1).proof, index: 0 } })).toEqual({ inclusion: 'root' })
    expect(await failures({ ...file, proof: network.file(0, { size: 3 }).proof })).toEqual({ inclusion: 'size' })
    expect(await failures({ ...file, proof: { ...file.proof, hashes: file.proof.hashes.slice(1) } })).toEqual({
      inclusion: 'proof',
    })
  })

  it('is refused if the receipt was never logged', async () => {
    const own = createSampleNetwork()
    own.issue(SAMPLES.order)
    const receipt = own.sign({ ...claimsOf(0), index: 0 })
    expect(await failures({ ...own.file(0), receipt })).toEqual({ inclusion: 'root' })
  })

  it('is refused if the checkpoint is damaged, signed by nobody, or of another log', async () => {
    expect(await failures({ ...file, checkpoint: file.checkpoint.slice(0, -2) })).toEqual({ checkpoint: 'note' })
    expect(await failures({ ...file, checkpoint: file.checkpoint.replace('\n8\n', '\n9\n') })).toMatchObject({
      checkpoint: 'signature',
    })
    expect(await failures({ ...file, checkpoint: foreign.note(network.checkpoint()) })).toEqual({
      checkpoint: 'unsigned',
    })
    const elsewhere = network.note({ ...network.checkpoint(), origin: 'tidenet-log-00000000' })
    expect(await failures({ ...file, checkpoint: elsewhere })).toEqual({ checkpoint: 'origin' })
  })
})

describe('an anchor', () => {
  it('proves something only if an address of the operators signed it, which is known offline', async () => {
    const anchor = await network.anchor(network.checkpoint())
    const { result, checks, proven } = await verify(network.file(0, { anchor }))
    expect(result).toBe('valid')
    expect(proven).toEqual(['signed', 'logged', 'anchored'])
    expect(checks.slice(-2)).toEqual([
      { name: 'anchor', state: 'passed' },
      { name: 'block', state: 'not_asked', reason: 'not_asked' },
    ])
    const without = await verify(network.file(0, { anchor }), { keys: known.keys, chain: chainWith(12) })
    expect(without.result).toBe('valid')
    expect(without.checks).toContainEqual({ name: 'anchor', state: 'not_asked', reason: 'no_operator' })
    expect(without.proven).toEqual(['signed', 'logged'])
  })

  it('is looked up only if there is a chain, and one that does not answer or is another one proves nothing', async () => {
    const anchored = network.file(0, { anchor: await network.anchor(network.checkpoint()) })
    const look = async (chain: ChainLookup) => {
      const { checks, proven } = await verify(anchored, { ...known, chain })
      return { ...checks.at(-1), isProven: proven.includes('on_chain') }
    }
    expect(await look(chainWith(12))).toEqual({ name: 'block', state: 'passed', isProven: true })
    expect(await look(chainWith(13))).toMatchObject({ state: 'failed', reason: 'height', isProven: false })
    expect(await look(chainWith(undefined))).toMatchObject({ state: 'failed', reason: 'absent', isProven: false })
    const silent = { ...chainWith(12), find: () => Promise.reject(new Error('no chain')) }
    for (const [reason, chain] of [
      ['unreachable', silent],
      ['other_chain', chainWith(12, { chain: 'another-chain', earliest: 1 })],
      ['pruned', chainWith(undefined, { chain: CHAIN, earliest: 13 })],
    ] as const)
      expect(await look(chain)).toMatchObject({ state: 'not_asked', reason, isProven: false })
  })

  it('is refused if anybody else signed a transaction with this memo', async () => {
    const anchor = await foreign.anchor(network.checkpoint())
    expect(await failures(network.file(0, { anchor }))).toEqual({ anchor: 'operator' })
    expect(await failures(network.file(0, { anchor }), { keys: known.keys })).toEqual({})
    const onAnother = known.anchors.map(({ address }) => ({ chain: 'another-chain', address }))
    const own = await network.anchor(network.checkpoint())
    expect(await failures(network.file(0, { anchor: own }), { ...known, anchors: onAnother })).toEqual({
      anchor: 'chain',
    })
  })

  it('is refused if the transaction is another one, damaged, or signed by another key', async () => {
    const anchor = await network.anchor(network.checkpoint())
    const refused = (changes: object, options: VerifyOptions = known) =>
      failures(network.file(0, { anchor: { ...anchor, ...changes } }), options)
    const earlier = await network.anchor(network.checkpoint(3))
    expect(await refused({ hash: '0'.repeat(64) })).toEqual({ anchor: 'hash' })
    expect(await refused({ tx: earlier.tx, hash: earlier.hash })).toEqual({ anchor: 'memo' })
    expect(await refused({ tx: toBase64(utf8('no transaction')) })).toEqual({ anchor: 'transaction' })
    expect(await refused({ chain: 'another-chain' })).toEqual({ anchor: 'signature' })
    expect(await refused({ account: 8 })).toEqual({ anchor: 'signature' })
  })

  it('is refused if its memo only begins or ends like that of the checkpoint', async () => {
    const { origin, size, root } = network.checkpoint()
    expect(anchorMemo({ origin, size, root })).not.toContain('\n')
    for (const other of [
      { origin: `x ${origin}`, size, root },
      { origin, size: size + 1, root },
      { origin, size, root: new Uint8Array([...root, 1]) },
    ]) {
      const anchor = await network.anchor(other)
      expect(await failures(network.file(0, { anchor }))).toEqual({ anchor: 'memo' })
    }
  })
})

describe('a file', () => {
  const text = JSON.stringify(file)
  it.each<[string, string, string]>([
    ['that is empty', '', 'json'],
    ['that is no JSON', 'receipt', 'json'],
    ['that is cut off', text.slice(0, -1), 'json'],
    ['with something after it', `${text}{}`, 'json'],
    ['with more than 64 KiB', JSON.stringify({ ...file, receipt: 'x'.repeat(70_000) }), 'size'],
    ['of 10 MB', 'x'.repeat(10_000_000), 'size'],
    ['with 10⁶ hashes', text.replace('"hashes":[', `"hashes":[${'"",'.repeat(1_000_000)}`), 'size'],
    [
      'with more hashes than a tree has levels',
      JSON.stringify({ ...file, proof: { ...file.proof, hashes: Array(65).fill(toBase64(new Uint8Array(32))) } }),
      'format',
    ],
    ['that is nested deeply', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'json'],
    ['that is nested too deeply', `${'['.repeat(17)}${']'.repeat(17)}`, 'json'],
    ['with a key twice', text.replace('{', `{"key":"${foreign.key.publicKey}",`), 'duplicate_key'],
    ['with a prototype', text.replace('{', '{"__proto__":{"tidenet":"receipt"},'), 'format'],
    ['with an unknown key', JSON.stringify({ ...file, more: 1 }), 'format'],
    ['with a negative index', text.replace('"index":0', '"index":-1'), 'number'],
    ['with a huge index', text.replace('"index":0', '"index":99999999999999999999'), 'number'],
    ['with an index that is not exact', text.replace('"index":0', '"index":9007199254740993'), 'format'],
    ['with no number', text.replace('"index":0', '"index":NaN'), 'json'],
    ['of another version', text.replace('"version":1', '"version":2'), 'version'],
    ['that is a list of files', JSON.stringify([file]), 'format'],
    ['that is null', 'null', 'format'],
    ['with a key of another length', JSON.stringify({ ...file, key: file.key.slice(1) }), 'format'],
    ['with a second form of the key', JSON.stringify({ ...file, key: `${file.key.slice(0, -1)}_` }), 'format'],
  ])('%s is refused', async (_, content, reason) => {
    const { checks, result, claims } = await verify(content)
    expect(checks).toEqual([{ name: 'file', state: 'failed', reason }])
    expect(result).toBe('invalid')
    expect(claims).toBeUndefined()
  })

  it('that is not UTF-8 is refused', async () => {
    const { checks } = await verifyReceipt(Uint8Array.of(0x22, 0xff, 0x22), known)
    expect(checks).toEqual([{ name: 'file', state: 'failed', reason: 'text' }])
  })

  it('with a key of small order is refused, whatever it contains', async () => {
    const key = toBase64url(Uint8Array.of(1, ...new Uint8Array(31)))
    expect(await failures({ ...file, key }, { keys: [{ key }] })).toMatchObject({ signature: 'header' })
  })
})
