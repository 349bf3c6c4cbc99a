import { createHash } from 'node:crypto'
import { type ReceiptFile, receiptKeyId } from '@tidenet/receipts'
import {
  createSampleNetwork,
  forgedBy,
  SAMPLES,
  type SampleNetwork,
  sampleDownload,
  sampleKey,
} from '../../packages/receipts/src/network.fixture.ts'

/** Ways to damage a receipt file, or to forge one. Each gives the content of a file; most are refused. */

export interface Source {
  network: SampleNetwork
  foreign: SampleNetwork
  /** An undamaged file, and another one of the same network. */
  file: ReceiptFile
  other: ReceiptFile
  /** An integer from 0 to `below` - 1. */
  pick: (below: number) => number
}
type Damage = (source: Source) => string | Buffer

const json = JSON.stringify
const one = <T>(source: Source, list: readonly T[]): T => list[source.pick(list.length)]!
const base64url = (text: string | Buffer) => Buffer.from(text).toString('base64url')
const claimsOf = (receipt: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(receipt.split('.')[1]!, 'base64url').toString())
const changedAt = (text: string, at: number, char: string) => text.slice(0, at) + char + text.slice(at + 1)

/** A file of what the network signed and logged, whatever it says. */
function logged(receipt: (network: SampleNetwork) => string): string {
  const own = createSampleNetwork()
  return json(own.file(own.append(receipt(own))))
}
const stating = (claims: object): string => logged((own) => own.sign({ ...claims, iss: own.origin, index: 0 }))
const signedText =
  (header: string, payload: string) =>
  (own: SampleNetwork): string => {
    const input = `${base64url(header)}.${base64url(payload)}`
    return `${input}.${own.key.sign(input)}`
  }

const VALUES: readonly unknown[] = [
  ...[-1, 0, 1, 1.5, 3600, 3601, 1e16, 2 ** 53 - 1, 2 ** 53, null, true, '', '1', 'a b', 'é', 'x'.repeat(200)],
  ...['x'.repeat(201), '\n', [], {}, [1], { hour: 0 }, 'file', 'renew', '2026-02-29', '2028-02-29', 'A'.repeat(64)],
]
const NUMBERS = [
  '-1',
  '-0',
  '1.0',
  '1e0',
  '01',
  '1.',
  '.1',
  '+1',
  'NaN',
  'Infinity',
  '1'.repeat(16),
  '9'.repeat(5000),
  '0x1',
]

const PARTS = ['receipt', 'proof', 'checkpoint'] as const

const ofText: Record<string, Damage> = {
  'cut off': (s) => json(s.file).slice(0, s.pick(json(s.file).length)),
  'with something after it': (s) => json(s.file) + one(s, ['x', '{}', ' ', '\n', '\0', ',']),
  'with another character': (s) =>
    changedAt(json(s.file), s.pick(json(s.file).length), one(s, ['A', '"', '0', '\\', '_', ' '])),
  'in another layout': (s) => json(s.file, null, one(s, [1, 2, 4])),
  escaped: (s) => json(s.file).replaceAll('—', '\\u2014').replace('"key"', '"\\u006bey"'),
  'with a key twice': (s) =>
    json(s.file).replace('{', `{${one(s, ['"version":1', '"key":"x"', '"\\u006bey":0', '"x":0.5,"x":1'])},`),
  'with another key': (s) => json({ ...s.file, [one(s, ['more', '__proto__ ', 'constructor'])]: 1 }),
  'with a prototype': (s) => json(s.file).replace('{', '{"__proto__":{},'),
  'without a key': (s) => json({ ...s.file, [one(s, Object.keys(s.file))]: undefined }),
  'with another value': (s) => json({ ...s.file, [one(s, Object.keys(s.file))]: one(s, VALUES) }),
  'with another number': (s) => json(s.file).replace(`"index":${s.file.proof.index}`, `"index":${one(s, NUMBERS)}`),
  nested: (s) =>
    `${'['.repeat(one(s, [16, 17, 400, 900, 3000, 30_000]))}`.replace(/\[+/, (open) => open + ']'.repeat(open.length)),
  'not UTF-8': (s) =>
    Buffer.concat([Buffer.from(json(s.file)), Buffer.from(one(s, [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80]]))]),
  'with a byte order mark': (s) => Buffer.from(`\ufeff${json(s.file)}`),
  'with half a character': (s) => json(s.file).replace('"receipt":"', '"receipt":"\\ud800'),
  'too large': (s) => json(s.file).padEnd(65_536 + one(s, [0, 1])),
  'of another version': (s) => json({ ...s.file, version: one(s, [0, 2, '2', null, 1.5, true]) }),
  'no file': (s) => one(s, ['', 'null', '[]', '1', '"receipt"', '{}', json({ tidenet: 'receipt' }), json([s.file])]),
}

const ofReceipt: Record<string, Damage> = {
  'signed by another key': (s) => {
    const forger = sampleKey('forger')
    const claims = claimsOf(s.file.receipt)
    return logged((own) => forgedBy(forger, claims, one(s, [forger.publicKey, own.key.publicKey])))
  },
  'of another receipt': (s) =>
    json({
      ...s.file,
      [one(s, PARTS)]: s.other[one(s, PARTS)],
    }),
  'with another character in the receipt': (s) => {
    const { receipt } = s.file
    return json({
      ...s.file,
      receipt: changedAt(receipt, s.pick(receipt.length), one(s, ['A', '_', '.', '=', '+', 'B'])),
    })
  },
  'with more or less of the receipt': (s) =>
    json({
      ...s.file,
      receipt: one(s, [
        `${s.file.receipt}.`,
        `${s.file.receipt}A`,
        s.file.receipt.slice(1),
        s.file.receipt.slice(0, -1),
        '..',
        `.${s.file.receipt}`,
      ]),
    }),
  'with another header': (s) => {
    const kid = receiptKeyId(s.network.key.publicKey)
    const header = one(s, [
      { alg: 'none', typ: 'tidenet-receipt', kid },
      { alg: 'EdDSA', typ: 'JWT', kid },
      { typ: 'tidenet-receipt', alg: 'EdDSA', kid },
      { alg: 'EdDSA', typ: 'tidenet-receipt', kid, crit: [] },
    ])
    return logged(signedText(json(header), json(claimsOf(s.file.receipt))))
  },
  'with another claim': (s) => {
    const claims = claimsOf(s.file.receipt)
    return stating({ ...claims, [one(s, [...Object.keys(claims), 'more'])]: one(s, VALUES) })
  },
  'without a claim': (s) => {
    const claims = claimsOf(s.file.receipt)
    return stating({ ...claims, [one(s, Object.keys(claims))]: undefined })
  },
  'with another claim in an hour': (s) => {
    const { earnings } = SAMPLES
    const hour = { ...earnings.hours[0], [one(s, ['hour', 'version', 'traffic', 'more'])]: one(s, VALUES) }
    const rest = { id: 1, iat: 1 }
    return stating({
      ...earnings,
      ...rest,
      hours: one(s, [[hour], [earnings.hours[0], hour], [], Array(25).fill(hour)]),
    })
  },
  'with claims in another form': (s) => {
    const text = json(claimsOf(s.file.receipt))
    const header = Buffer.from(s.network.file(0).receipt.split('.')[0]!, 'base64url').toString()
    const payload = one(s, [
      text.replace('{', '{"iat":1,'),
      text.replace('{', '{"__proto__":1,'),
      text.replace(/"iat":\d+/, `"iat":${one(s, NUMBERS)}`),
      `${text} `,
      `\ufeff${text}`,
      `[${text}]`,
      text.slice(1),
      '',
      '\xff',
    ])
    return logged(signedText(header, payload))
  },
  'of a download that was not signed': (s) => {
    const download = sampleDownload(1 + s.pick(100), { node: one(s, ['node', 'other']) })
    const other = sampleDownload(1 + s.pick(100), { node: 'third' })
    const changed = one(s, Object.keys(download) as (keyof typeof download)[])
    return stating({ ...download, id: 1, iat: 1, [changed]: other[changed] })
  },
}

const ofProof: Record<string, Damage> = {
  'with another hash': (s) => {
    const hashes = [...s.file.proof.hashes]
    const hash = createHash('sha256')
      .update(String(s.pick(1000)))
      .digest('base64')
    hashes.splice(s.pick(hashes.length + 1), s.pick(2), ...one(s, [[hash], [], ['x'], Array(65).fill(hash)]))
    return json({ ...s.file, proof: { ...s.file.proof, hashes } })
  },
  'at another place': (s) =>
    json({ ...s.file, proof: { ...s.file.proof, [one(s, ['index', 'size'])]: one(s, [0, 1, 2, 7, 2 ** 53 - 1]) } }),
  'with another checkpoint': (s) => {
    const { checkpoint } = s.file
    return json({
      ...s.file,
      checkpoint: changedAt(checkpoint, s.pick(checkpoint.length), one(s, ['A', '\n', '0', '—', '\r', ' '])),
    })
  },
  'with another signature of the checkpoint': (s) => {
    const checkpoint = s.network.checkpoint(s.file.proof.size)
    const [, witness = ''] = s.foreign.note(checkpoint).split('\n\n')
    const [, ours = ''] = s.file.checkpoint.split('\n\n')
    const [text = ''] = s.file.checkpoint.split('\n\n')
    const lines = one(s, [
      witness,
      ours + witness,
      witness + ours,
      ours + ours,
      ours.repeat(16),
      ours.repeat(17),
      '',
      '\n',
      witness.replace('— ', '— x'),
    ])
    return json({ ...s.file, checkpoint: `${text}\n\n${lines}` })
  },
  'with a checkpoint of another log': (s) =>
    json({
      ...s.file,
      checkpoint: s.network.note({
        ...s.network.checkpoint(s.file.proof.size),
        origin: one(s, ['tidenet-log-00000000', 'example.com', 'tidenet-log-0000000G']),
      }),
    }),
  'with a key of small order': (s) =>
    json({ ...s.file, key: Buffer.alloc(32, one(s, [0, 1, 255])).toString('base64url') }),
  'of another network': (s) =>
    json(
      one(s, [
        s.foreign.file(0),
        { ...s.foreign.file(0), key: s.file.key },
        { ...s.file, key: s.foreign.key.publicKey },
      ]),
    ),
}

/** A transaction whose bytes were changed, with its new hash. */
const withBytes = (s: Source, change: (bytes: Buffer) => Buffer): string => {
  const anchor = s.file.anchor
  if (!anchor) return json(s.file)
  const bytes = change(Buffer.from(anchor.tx, 'base64'))
  const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
  return json({ ...s.file, anchor: { ...anchor, tx: bytes.toString('base64'), hash } })
}
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const ofAnchor: Record<string, Damage> = {
  'with another anchor': (s) =>
    json({
      ...s.file,
      anchor: s.file.anchor && {
        ...s.file.anchor,
        [one(s, Object.keys(s.file.anchor))]: one(s, [...VALUES, 'QQ==', 'QR==']),
      },
    }),
  'with the hash of another transaction': (s) =>
    json({ ...s.file, anchor: s.file.anchor && { ...s.file.anchor, hash: 'A'.repeat(64) } }),
  'with the anchor of another size': (s) => json({ ...s.file, anchor: s.other.anchor }),
  'with another byte in the transaction': (s) =>
    withBytes(s, (bytes) => {
      bytes[s.pick(bytes.length)]! ^= 1 << s.pick(8)
      return bytes
    }),
  'with more or less of the transaction': (s) =>
    withBytes(s, (bytes) =>
      one(s, [
        bytes.subarray(0, s.pick(bytes.length)),
        Buffer.concat([bytes, Buffer.from(one(s, ['2000', '1a00', '2a00', '80', '0a00', '2001'])!, 'hex')]),
        Buffer.concat([bytes.subarray(0, 1), Buffer.from([bytes[1]!, bytes[2]! | 0x80, 0]), bytes.subarray(3)]),
      ]),
    ),
  'with the second form of its signature': (s) =>
    withBytes(s, (bytes) => {
      const other = N - BigInt(`0x${bytes.subarray(-32).toString('hex')}`)
      return Buffer.concat([bytes.subarray(0, -32), Buffer.from(other.toString(16).padStart(64, '0'), 'hex')])
    }),
}

export const DAMAGES: Readonly<Record<string, Damage>> = { ...ofText, ...ofReceipt, ...ofProof, ...ofAnchor }
