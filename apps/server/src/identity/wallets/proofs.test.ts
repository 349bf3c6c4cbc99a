import { randomBytes } from 'node:crypto'
import { type AminoMsg, makeSignDoc, rawSecp256k1PubkeyToRawAddress, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { messageText } from './message-text.ts'
import { adr36, displayAddress, isSiweFor, readAddress, readBytes, readProof } from './proofs.ts'
import { cosmosWallet, evmWallet, malleated, type SampleWallet } from './sample-wallets.fixture.ts'

const TEXTS = [
  'portal.test',
  'two\nlines\r\n and a \t tab',
  '将此钱包绑定到 Tidenet 账号',
  'line\u2028and paragraph\u2029separators',
  '<&> "quoted" \\ \u0000 🌊',
  '',
  'x'.repeat(5000),
]

const proves = async (wallet: SampleWallet, text: string, proof: { sign: string; publicKey?: string }) => {
  const address = readAddress(wallet.address, 'tide')
  if (!address) throw new Error('no address')
  return (await readProof(address, proof)?.matches(text)) ?? false
}

describe('an address', () => {
  it('has one canonical form', () => {
    const [cosmos, evm] = [cosmosWallet(), evmWallet()]
    expect(readAddress(cosmos.address, 'tide')).toEqual({ kind: 'cosmos', address: cosmos.address })
    expect(readAddress(cosmos.address.toUpperCase(), 'tide')).toEqual({ kind: 'cosmos', address: cosmos.address })
    expect(readAddress(evm.address, 'tide')).toEqual({ kind: 'evm', address: evm.address.toLowerCase() })
    expect(readAddress(evm.address.toLowerCase(), 'tide')).toEqual({ kind: 'evm', address: evm.address.toLowerCase() })
  })

  it('is displayed as wallets display it', () => {
    const evm = evmWallet()
    expect(displayAddress({ kind: 'evm', address: evm.address.toLowerCase() })).toBe(evm.address)
  })

  it.each([
    ['nothing', ''],
    ['of another chain', cosmosWallet('cosmos').address],
    ['whose prefix only begins alike', cosmosWallet('tidevaloper').address],
    ['of a contract', toBech32('tide', randomBytes(32))],
    ['of no bytes', toBech32('tide', new Uint8Array())],
    ['longer than any', toBech32('tide', randomBytes(600), 1023)],
    ['with a wrong checksum', `${cosmosWallet().address.slice(0, -1)}b1`],
    ['in mixed letters', cosmosWallet().address.replace(/[a-z](?=[a-z\d]*$)/, (letter) => letter.toUpperCase())],
    ['0x and too few digits', '0x1234'],
    ['0x and no digits', `0x${'g'.repeat(40)}`],
    ['0x in capitals of another checksum', `0x${'aB'.repeat(20)}`],
    ['an e-mail address', 'ann@mail.test'],
  ])('is invalid: %s', (_, text) => {
    expect(readAddress(text, 'tide')).toBeUndefined()
  })
})

describe('bytes', () => {
  const bytes = new Uint8Array(randomBytes(33))
  const [hex, base64] = [Buffer.from(bytes).toString('hex'), Buffer.from(bytes).toString('base64')]

  it.each([
    ['hex', hex],
    ['hex in capitals', hex.toUpperCase()],
    ['hex with 0x', `0x${hex}`],
    ['base64', base64],
    ['hex of base64', Buffer.from(base64).toString('hex')],
    ['hex of hex', Buffer.from(hex).toString('hex')],
  ])('are read from %s', (_, text) => {
    expect(readBytes(text, 33)).toEqual(bytes)
  })

  it.each([
    '',
    '0x',
    'a',
    hex.slice(2),
    hex.slice(1),
    `${hex}00`,
    ` ${hex}`,
    `${hex.slice(0, -1)}g`,
    base64.slice(4),
    `${base64.slice(0, -1)}!`,
    '=='.repeat(22),
    '🌊'.repeat(22),
  ])('are not read from %j', (text) => {
    expect(readBytes(text, 33)).toBeUndefined()
  })
})

describe('adr36', () => {
  it.each(TEXTS)('is the document that wallets sign: %j', (text) => {
    const { address } = cosmosWallet()
    const message: AminoMsg = {
      type: 'sign/MsgSignData',
      value: { signer: address, data: Buffer.from(text).toString('base64') },
    }
    const document = makeSignDoc([message], { gas: '0', amount: [] }, '', '', 0, 0)
    expect(Buffer.from(adr36(address, text)).toString()).toBe(Buffer.from(serializeSignDoc(document)).toString())
  })
})

describe('a proof', () => {
  it.each(TEXTS)('of either kind of wallet matches its text: %j', async (text) => {
    for (const wallet of [cosmosWallet(), evmWallet()]) {
      const sign = await wallet.sign(text)
      expect(await proves(wallet, text, { sign, publicKey: wallet.publicKey })).toBe(true)
      expect(await proves(wallet, `${text} `, { sign, publicKey: wallet.publicKey })).toBe(false)
    }
  })

  it('can be base64', async () => {
    const wallet = cosmosWallet()
    const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
    const proof = { sign: base64(await wallet.sign('text')), publicKey: base64(wallet.publicKey) }
    expect(await proves(wallet, 'text', proof)).toBe(true)
  })

  it('is rejected with the key of another address', async () => {
    const [wallet, other] = [cosmosWallet(), cosmosWallet()]
    const sign = await other.sign('text', wallet.address)
    expect(await proves(wallet, 'text', { sign, publicKey: other.publicKey })).toBe(false)
    expect(await proves(wallet, 'text', { sign, publicKey: wallet.publicKey })).toBe(false)
    expect(await proves(evmWallet(), 'text', { sign: await evmWallet().sign('text') })).toBe(false)
  })

  it('is rejected for another signer with the same key', async () => {
    const key = randomBytes(32)
    const [wallet, elsewhere] = [cosmosWallet('tide', key), cosmosWallet('cosmos', key)]
    const sign = await elsewhere.sign('text')
    expect(await proves(wallet, 'text', { sign, publicKey: wallet.publicKey })).toBe(false)
  })

  it('is rejected if the signature is malleated', async () => {
    for (const wallet of [cosmosWallet(), evmWallet()]) {
      const sign = malleated(await wallet.sign('text'))
      expect(malleated(sign)).toBe(await wallet.sign('text'))
      expect(await proves(wallet, 'text', { sign, publicKey: wallet.publicKey })).toBe(false)
    }
  })

  it('is rejected with an uncompressed key', async () => {
    const wallet = cosmosWallet()
    const publicKey = Buffer.from(Secp256k1.uncompressPubkey(Buffer.from(wallet.publicKey, 'hex'))).toString('hex')
    expect(publicKey).toHaveLength(130)
    expect(await proves(wallet, 'text', { sign: await wallet.sign('text'), publicKey })).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['0x', '0x'],
    ['one byte', '00'],
    ['zeros', '00'.repeat(64)],
    ['zeros, as a 0x wallet’s', '00'.repeat(65)],
    ['the largest numbers', 'ff'.repeat(64)],
    ['no hex', 'z'.repeat(128)],
    ['far too much', '11'.repeat(5000)],
  ])('is rejected: %s', async (_, sign) => {
    for (const wallet of [cosmosWallet(), evmWallet()]) {
      expect(await proves(wallet, 'text', { sign, publicKey: wallet.publicKey })).toBe(false)
      expect(await proves(wallet, 'text', { sign })).toBe(false)
      expect(await proves(wallet, 'text', { sign, publicKey: sign })).toBe(false)
    }
  })

  it('is rejected if the key is not on the curve', async () => {
    const publicKey = `02${'ff'.repeat(32)}`
    const address = toBech32('tide', rawSecp256k1PubkeyToRawAddress(Buffer.from(publicKey, 'hex')))
    expect(
      await proves({ ...cosmosWallet(), address }, 'text', { sign: await cosmosWallet().sign('text'), publicKey }),
    ).toBe(false)
  })
})

describe('the sign-in message of a 0x wallet', () => {
  const wallet = evmWallet()
  const issued = new Date('2026-03-01T10:00:00.000Z')
  const expires = new Date('2026-03-01T10:05:00.000Z')
  const of = (portal: string, account?: string) =>
    messageText({
      purpose: 'bind',
      wallet: { kind: 'evm', address: wallet.address.toLowerCase() },
      account,
      nonce: '0123456789abcdef',
      portal,
      issued,
      expires,
      lang: 'cn',
    })

  it.each(['https://portal.test', 'http://localhost:8080', 'http://127.0.0.1:8080'])('is EIP-4361 at %s', (portal) => {
    const statement = 'Purpose: bind this wallet to a Tidenet account, uabc. This costs nothing and moves no coins.'
    expect(of(portal, 'uabc')).toBe(
      createSiweMessage({
        address: wallet.address as `0x${string}`,
        chainId: 1,
        domain: new URL(portal).host,
        nonce: '0123456789abcdef',
        uri: portal,
        version: '1',
        statement,
        issuedAt: issued,
        expirationTime: expires,
      }),
    )
  })

  const expected = { address: wallet.address.toLowerCase(), domain: 'portal.test:8443', nonce: '0123456789abcdef' }
  const at = new Date('2026-03-01T10:04:59.999Z')

  it.each(['portal.test:8443', 'mybox:8080', 'localhost'])('is valid at %s', (domain) => {
    expect(isSiweFor(of(`https://${domain}`), { ...expected, domain, time: at })).toBe(true)
  })

  it('is valid only for its address, host, port, nonce and time', () => {
    const text = of('https://portal.test:8443')
    expect(isSiweFor(text, { ...expected, address: evmWallet().address, time: at })).toBe(false)
    expect(isSiweFor(text, { ...expected, domain: 'portal.test', time: at })).toBe(false)
    expect(isSiweFor(text, { ...expected, nonce: 'fedcba9876543210', time: at })).toBe(false)
    expect(isSiweFor(text, { ...expected, time: expires })).toBe(false)
    expect(isSiweFor('any other text', { ...expected, time: at })).toBe(false)
  })
})

describe('the sign-in message of a chain wallet', () => {
  it.each(['en', 'cn'] as const)('contains everything that the signer should know (%s)', (lang) => {
    const { address } = cosmosWallet()
    const [issued, expires] = [new Date(1e12), new Date(1e12 + 1)]
    const text = messageText({
      purpose: 'bind',
      wallet: { kind: 'cosmos', address },
      account: 'uabc',
      nonce: '0123',
      portal: 'https://portal.test:8443',
      issued,
      expires,
      lang,
    })
    for (const fact of ['portal.test:8443', address, 'uabc', '0123', issued.toISOString(), expires.toISOString()])
      expect(text).toContain(fact)
    expect(/\p{Script=Han}/u.test(text)).toBe(lang === 'cn')
  })
})
