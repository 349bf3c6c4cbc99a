import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { type ByteSource, bytesSource, readRange } from './bytes.ts'
import { createSeal, type OpenedText, openSealed } from './encryption.ts'
import { ciphers as browser } from './platform/cipher.browser.ts'
import { ciphers as node } from './platform/cipher.node.ts'
import { someBytes } from './test-env.fixture.ts'

const CHUNK = 65_536
const passphrase = 'correct horse'

const whole = (source: ByteSource) => readRange(source, 0, source.size)
async function* streamOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
}
const read = async ({ pieces }: OpenedText) => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

describe.each([
  ['Node', node],
  ['browsers', browser],
])('encryption in %s', (_, ciphers) => {
  it.each([1, CHUNK - 1, CHUNK, CHUNK + 1, 20 * CHUNK + 7])(
    'of %i bytes is decrypted by another age implementation',
    async (size) => {
      const bytes = someBytes(size)
      const seal = await createSeal(ciphers, { passphrase, workFactor: 8 })
      const decrypter = new Decrypter()
      decrypter.addPassphrase(passphrase)
      const sealed = await whole(seal(bytesSource(bytes)))
      expect(Buffer.from(await decrypter.decrypt(sealed)).equals(bytes)).toBe(true)
      const opened = await openSealed(ciphers, { passphrase }, streamOf(sealed))
      expect(opened.size(sealed.length)).toBe(size)
      expect((await read(opened)).equals(bytes)).toBe(true)
    },
  )

  it('for recipients is decrypted by each of them', async () => {
    const identities = [await generateX25519Identity(), await generateX25519Identity()]
    const recipients = await Promise.all(identities.map(identityToRecipient))
    const bytes = someBytes(100_000)
    const sealed = await whole((await createSeal(ciphers, { recipients }))(bytesSource(bytes)))
    for (const identity of identities) {
      const opened = await openSealed(ciphers, { identities: [identity] }, streamOf(sealed))
      expect(Buffer.from(await read(opened)).equals(bytes)).toBe(true)
    }
  })

  it('decrypts files of another age implementation', async () => {
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    encrypter.setScryptWorkFactor(8)
    const sealed = await encrypter.encrypt(new Uint8Array(someBytes(70_000)))
    const opened = await read(await openSealed(ciphers, { passphrase }, streamOf(sealed)))
    expect(Buffer.from(opened).equals(someBytes(70_000))).toBe(true)
  })

  it('returns the same bytes from any offset', async () => {
    const source = (await createSeal(ciphers, { passphrase, workFactor: 8 }))(bytesSource(someBytes(5 * CHUNK + 100)))
    const all = await whole(source)
    for (const [start, end] of [
      [0, 1],
      [10, 400],
      [100, CHUNK + 300],
      [2 * CHUNK, 4 * CHUNK],
      [source.size - 5, source.size],
    ] as const)
      expect(Buffer.from(await readRange(source, start, end)).equals(all.subarray(start, end))).toBe(true)
  })

  it('encrypts the same text differently each time', async () => {
    const seal = await createSeal(ciphers, { passphrase, workFactor: 8 })
    const [one, two] = await Promise.all([1, 2].map(() => whole(seal(bytesSource(someBytes(1000))))))
    expect(Buffer.from(one!.slice(-1000)).equals(two!.slice(-1000))).toBe(false)
  })

  it('rejects a wrong passphrase, a changed byte and a changed plaintext', async () => {
    const bytes = new Uint8Array(someBytes(CHUNK * 2))
    const source = (await createSeal(ciphers, { passphrase, workFactor: 8 }))(bytesSource(bytes))
    const sealed = await whole(source)
    await expect(openSealed(ciphers, { passphrase: 'other' }, streamOf(sealed))).rejects.toThrow()
    const spoilt = sealed.slice()
    spoilt[spoilt.length - 100]! ^= 1
    await expect(openSealed(ciphers, { passphrase }, streamOf(spoilt)).then(read)).rejects.toThrow()
    for (const cut of [sealed.length - 1, sealed.length - CHUNK - 16, 100, 0])
      await expect(openSealed(ciphers, { passphrase }, streamOf(sealed.subarray(0, cut))).then(read)).rejects.toThrow()
    bytes[5]! ^= 1
    await expect(whole(source)).rejects.toThrow()
    await expect(createSeal(ciphers, { passphrase: '' })).rejects.toThrow()
    await expect(createSeal(ciphers, { recipients: ['age1nonsense'] })).rejects.toThrow()
  })
})
