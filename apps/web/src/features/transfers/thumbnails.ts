import { THUMBNAIL_MAX } from '@tidenet/contract/thumbnails'
import { onSessionEnd } from '../../lib/session-store.ts'
import { storage } from '../../lib/storage.ts'
import { useVault } from '../vault/store.ts'
import { keepPicture, keptPicture } from './kept-thumbnails.ts'
import { sdkCodes } from './sdk-codes.ts'

/**
 * Thumbnails are made in this browser, kept by the portal, and cached here by CID. Images up to this size in bytes are downloaded if none is
 * kept.
 */
export const THUMBNAIL_FROM_MAX = 4 << 20
/** Limit for local files, which need no download. */
const LOCAL_MAX = 24 << 20
const CACHE = 'tidenet-thumbnails'
/** Longest edge in px; twice the displayed size, for high-density screens. */
const EDGE = 320
/** Noise needs many bytes: the first one that is small enough to be kept, or the last. */
const QUALITIES = [0.8, 0.5, 0.25]
const BYTES_MAX = THUMBNAIL_MAX - 512
const CONCURRENCY = 2

const addressOf = (cid: string) => `/thumbnail/${cid}`

/** Object URLs by CID, the least recently used first; `null`: the image cannot be decoded. */
const made = new Map<string, Promise<string | null>>()
/** More than fit on a screen: those that are shown are never revoked. */
const MADE_MAX = 500

const open = async (): Promise<Cache | undefined> => {
  try {
    return await caches.open(CACHE)
  } catch {
    // The Cache API is not available in some private windows and on insecure pages.
    return undefined
  }
}

async function draw(image: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(image)
  try {
    const scale = Math.min(1, EDGE / Math.max(bitmap.width, bitmap.height))
    const width = Math.max(1, Math.round(bitmap.width * scale))
    const height = Math.max(1, Math.round(bitmap.height * scale))
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, width, height)
    return await encode(canvas)
  } finally {
    bitmap.close()
  }
}

async function encode(canvas: OffscreenCanvas): Promise<Blob> {
  let picture = new Blob()
  for (const quality of QUALITIES) {
    picture = await canvas.convertToBlob({ type: 'image/webp', quality })
    // Safari writes PNG instead.
    if (picture.type !== 'image/webp') picture = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (picture.size <= BYTES_MAX) break
  }
  return picture
}

/** Thumbnails of encrypted images, which are dropped when the vault is locked. */
const secrets = new Set<string>()

useVault.subscribe(({ key }) => {
  if (key) return
  for (const cid of secrets) {
    void made.get(cid)?.then((address) => address && URL.revokeObjectURL(address))
    made.delete(cid)
  }
  secrets.clear()
})

/** Keeps the thumbnail of an image that was just uploaded. @param recipient of an encrypted one: in this browser it stays in memory */
export async function storeThumbnail(cid: string, image: Blob, recipient: string | undefined): Promise<void> {
  if (image.size > LOCAL_MAX) return
  const picture = await draw(image)
  await keepPicture(cid, picture, recipient)
  if (recipient && !useVault.getState().key) return
  await remember(cid, picture, { secret: recipient !== undefined })
}

/** @returns its address, an object URL */
async function remember(
  cid: string,
  picture: Blob,
  { secret = false, cached = false }: { secret?: boolean; cached?: boolean },
): Promise<string> {
  // Two rows may show the same content.
  const known = made.get(cid)
  const shown = known && (await known)
  if (shown) return shown
  const address = URL.createObjectURL(picture)
  made.set(cid, Promise.resolve(address))
  dropOldest()
  if (secret) secrets.add(cid)
  else if (!cached) await (await open())?.put(addressOf(cid), new Response(picture)).catch(() => undefined)
  return address
}

interface PendingThumbnail {
  cid: string
  /** Decrypts the image. */
  identity: string | undefined
  signal: AbortSignal
  resolve: (address: string | null) => void
}
const waiting: PendingThumbnail[] = []
let running = 0

function dropOldest(): void {
  for (const [cid, address] of made) {
    if (made.size <= MADE_MAX) return
    made.delete(cid)
    secrets.delete(cid)
    void address.then((url) => url && URL.revokeObjectURL(url))
  }
}

/** The thumbnail of an image: cached, kept by the portal or, with `fetchIt`, made of the image. `null` if unavailable or aborted. */
export function thumbnailOf(
  cid: string,
  fetchIt: boolean,
  signal: AbortSignal,
  identity?: string,
): Promise<string | null> {
  const known = made.get(cid)
  if (known) {
    made.delete(cid)
    made.set(cid, known)
    return known
  }
  return new Promise((resolve) => {
    void readStored(cid, identity, signal).then(
      (address) => {
        if (address || !fetchIt || signal.aborted) return resolve(address)
        waiting.push({ cid, identity, signal, resolve })
        work()
      },
      // Unknown whether one is kept: it is asked again when the row is shown again, and the whole image is not downloaded.
      () => resolve(null),
    )
  })
}

async function readStored(cid: string, identity: string | undefined, signal: AbortSignal): Promise<string | null> {
  const answer = await (await open())?.match(addressOf(cid)).catch(() => undefined)
  if (answer) {
    return remember(cid, await answer.blob(), { cached: true })
  }
  if (signal.aborted) return null
  const picture = await keptPicture(cid, identity)
  if (!picture || isStale(identity)) return null
  return remember(cid, picture, { secret: identity !== undefined })
}

/** Whether the vault was locked while a thumbnail was made. */
const isStale = (identity: string | undefined) =>
  identity !== undefined && useVault.getState().key?.identity !== identity

function work(): void {
  // Last in, first out: the image scrolled to last is visible now.
  while (running < CONCURRENCY && waiting.length > 0) {
    const next = waiting.pop()
    if (!next) return
    if (next.signal.aborted) {
      next.resolve(null)
      continue
    }
    running += 1
    const picture = made.get(next.cid) ?? fetchAndDraw(next)
    void picture.then(next.resolve).finally(() => {
      running -= 1
      work()
    })
  }
}

async function fetchAndDraw({ cid, identity, signal }: PendingThumbnail): Promise<string | null> {
  try {
    const sdk = await storage()
    const result = await sdk.downloadAsset({
      assetCid: cid,
      assetType: 'file',
      source: 'own',
      preview: true,
      to: 'blob',
      ...(identity && { decrypt: { identities: [identity] } }),
      signal,
    })
    // The key does not fit: not an image of an encrypted folder.
    if (identity && result.code === sdkCodes.downloadFileError) made.set(cid, Promise.resolve(null))
    if (result.code !== 0) return null
    const { blob } = result.data as { blob?: Blob }
    if (!blob) return null
    const picture = await draw(blob)
    const recipient = useVault.getState().key?.recipient
    if (isStale(identity)) return null
    void keepPicture(cid, picture, identity && recipient)
    return await remember(cid, picture, { secret: identity !== undefined })
  } catch {
    // Do not retry an image that cannot be decoded.
    if (!signal.aborted) made.set(cid, Promise.resolve(null))
    return null
  }
}

// Do not leave thumbnails for the next user of this browser.
onSessionEnd(() => {
  for (const picture of made.values()) void picture.then((address) => address && URL.revokeObjectURL(address))
  made.clear()
  waiting.length = 0
  void caches?.delete(CACHE).catch(() => {})
})
