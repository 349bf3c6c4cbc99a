import { THUMBNAIL_MAX, THUMBNAILS_A_CALL } from '@tidenet/contract/thumbnails'
import { api } from '../../lib/api.ts'
import { actingTeam } from '../../lib/team.ts'
import { seal, unseal } from './sealed-thumbnails.ts'

/**
 * Thumbnails that the portal keeps for the account. Those of encrypted images are age files for the vault's public key, as the images are: the
 * portal cannot see what they show. Whoever knows that key could make one, so a thumbnail proves nothing about the file.
 */

/** Does nothing if it is too large, or if a viewer of a team made it. Resolves also if the portal refuses it: the file is unharmed. */
export async function keepPicture(cid: string, picture: Blob, recipient: string | undefined): Promise<void> {
  if (actingTeam()?.role === 'viewer') return
  try {
    const plain = new Uint8Array(await picture.arrayBuffer())
    const bytes = recipient ? await seal(plain, recipient) : plain
    if (bytes.length > THUMBNAIL_MAX) return
    await api('thumbnails.keep', { cid, image: base64Of(bytes) })
  } catch {
    // It is made again where it is shown.
  }
}

interface Wanted {
  cid: string
  resolve: (image: string | undefined) => void
  reject: (error: unknown) => void
}
let wanted: Wanted[] = []
/** Rows become visible together: one call for those of about a frame. */
const TOGETHER_MS = 20

/** A kept thumbnail; undefined if there is none, or the identity does not open it. Rejects if the portal does not answer for a minute. */
export async function keptPicture(cid: string, identity: string | undefined): Promise<Blob | undefined> {
  const image = await new Promise<string | undefined>((resolve, reject) => {
    if (wanted.length === 0) setTimeout(askForAll, TOGETHER_MS)
    wanted.push({ cid, resolve, reject })
  })
  if (image === undefined) return undefined
  const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0))
  try {
    return new Blob([identity ? await unseal(bytes, identity) : bytes])
  } catch {
    return undefined
  }
}

function askForAll(): void {
  const all = wanted
  wanted = []
  for (let at = 0; at < all.length; at += THUMBNAILS_A_CALL) void ask(all.slice(at, at + THUMBNAILS_A_CALL))
}

/** Ms after which a failed question is repeated. */
const AGAIN_AFTER = [2000, 10_000, 60_000]

async function ask(some: readonly Wanted[], attempt = 0): Promise<void> {
  try {
    const { list } = await api('thumbnails.get', { cids: some.map(({ cid }) => cid) })
    const found = new Map(list.map(({ cid, image }) => [cid, image]))
    for (const { cid, resolve } of some) resolve(found.get(cid))
  } catch (error) {
    const wait = AGAIN_AFTER[attempt]
    if (wait !== undefined) setTimeout(() => void ask(some, attempt + 1), wait)
    else for (const { reject } of some) reject(error)
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
