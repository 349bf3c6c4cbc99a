import { isThumbnail } from '@tidenet/contract/thumbnail-images'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, it } from 'vitest'
import { seal, unseal } from './sealed-thumbnails.ts'

async function keyPair() {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Begins as a lossless WebP image of this size. */
function webp(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(60).fill(7)
  bytes.set(new TextEncoder().encode('RIFF....WEBPVP8L'))
  const view = new DataView(bytes.buffer)
  view.setUint32(4, bytes.length - 8, true)
  view.setUint32(16, bytes.length - 20, true)
  view.setUint8(20, 0x2f)
  view.setUint32(21, (width - 1) | ((height - 1) << 14), true)
  return bytes
}

it('seals a thumbnail so that the portal keeps it and only the key opens it', async () => {
  const { identity, recipient } = await keyPair()
  const image = webp(320, 200)
  const sealed = await seal(image, recipient)
  expect(isThumbnail(sealed, true)).toBe(true)
  expect(String(sealed)).not.toContain(String(image))
  expect(await unseal(sealed, identity)).toEqual(image)
  await expect(unseal(sealed, (await keyPair()).identity)).rejects.toThrow()
})

it('refuses a sealed image that is too large to be shown, and what is no image', async () => {
  const { identity, recipient } = await keyPair()
  for (const bytes of [webp(16_000, 16_000), new TextEncoder().encode('<svg/>'.repeat(20))])
    await expect(unseal(await seal(bytes, recipient), identity)).rejects.toThrow()
})
