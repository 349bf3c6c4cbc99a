import { onSessionEnd } from '../../lib/session-store.ts'
import { storage } from '../../lib/storage.ts'
import { useVault } from '../vault/store.ts'
import { sdkCodes } from './sdk-codes.ts'

/** Thumbnails are created and cached in this browser by CID. Images up to this size in bytes are downloaded for it. */

export const THUMBNAIL_FROM_MAX = 4 << 20
/** Limit for local files, which need no download. */
const LOCAL_MAX = 24 << 20
const CACHE = 'tidenet-thumbnails'
/** Longest edge in px; twice the displayed size, for high-density screens. */
const EDGE = 320
const CONCURRENCY = 2

const addressOf = (cid: string) => `/thumbnail/${cid}`

/** Object URLs by CID, until the page is closed; `null`: the image cannot be decoded. */
const made = new Map<string, Promise<string | null>>()

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
    return await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 })
  } finally {
    bitmap.close()
  }
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

/** Stores the thumbnail of an image that was just uploaded. @param secret keeps it in memory only */
export async function storeThumbnail(cid: string, image: Blob, secret: boolean): Promise<void> {
  if (image.size > LOCAL_MAX) return
  const picture = await draw(image)
  if (secret && !useVault.getState().key) return
  if (secret) secrets.add(cid)
  made.set(cid, Promise.resolve(URL.createObjectURL(picture)))
  if (secret) return
  await (await open())?.put(addressOf(cid), new Response(picture))
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

/** The thumbnail of an image, from the cache or, with `fetchIt`, the network. `null` if unavailable or aborted. */
export function thumbnailOf(
  cid: string,
  fetchIt: boolean,
  signal: AbortSignal,
  identity?: string,
): Promise<string | null> {
  const known = made.get(cid)
  if (known) return known
  return new Promise((resolve) => {
    void readCached(cid).then((address) => {
      if (address || !fetchIt || signal.aborted) return resolve(address)
      waiting.push({ cid, identity, signal, resolve })
      work()
    })
  })
}

async function readCached(cid: string): Promise<string | null> {
  const answer = await (await open())?.match(addressOf(cid)).catch(() => undefined)
  if (!answer) return null
  const address = URL.createObjectURL(await answer.blob())
  made.set(cid, Promise.resolve(address))
  return address
}

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
    const address = URL.createObjectURL(picture)
    if (identity && useVault.getState().key?.identity !== identity) {
      URL.revokeObjectURL(address)
      return null
    }
    made.set(cid, Promise.resolve(address))
    if (identity) secrets.add(cid)
    else void open().then((cache) => cache?.put(addressOf(cid), new Response(picture)))
    return address
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
