import { isThumbnail } from '@tidenet/contract/thumbnail-images'

/** Thumbnails of encrypted images: age files for the vault's public key, as the images are. */

export async function seal(bytes: Uint8Array, recipient: string): Promise<Uint8Array> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return encrypter.encrypt(bytes)
}

/**
 * The image. The portal could not check what is encrypted, and every member of a team has the public key: an image that is too large for a
 * thumbnail could fill the memory of those who open the folder.
 * @throws Error if the identity does not open it, or it is no thumbnail
 */
export async function unseal(bytes: Uint8Array, identity: string): Promise<Uint8Array<ArrayBuffer>> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const image = new Uint8Array(await decrypter.decrypt(bytes))
  if (!isThumbnail(image, false)) throw new Error('no thumbnail')
  return image
}
