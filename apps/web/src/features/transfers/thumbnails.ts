import { onSessionEnd } from '../../lib/session-store.ts'
import { storage } from './storage.ts'

/** Small pictures of images, made here and kept in this browser by content: the same CID is the same picture for good. */

export const THUMBNAIL_FROM_MAX = 4 << 20
/** A file that is at hand costs nothing to look into. */
const LOCAL_MAX = 24 << 20
const CACHE = 'tidenet-thumbnails'
/** Longest edge; twice of what is drawn, for dense screens. */
const EDGE = 320
const AT_ONCE = 2

const addressOf = (cid: string) => `/thumbnail/${cid}`

/** Addresses of pictures for this page's life; `null`: this image cannot be shown. */
const made = new Map<string, Promise<string | null>>()

const open = async (): Promise<Cache | undefined> => {
  try {
    return await caches.open(CACHE)
  } catch {
    // Private windows and pages without https keep nothing.
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

/** Keeps a small picture of an image that is at hand, because it was just uploaded. */
export async function keepThumbnail(cid: string, image: Blob): Promise<void> {
  if (image.size > LOCAL_MAX) return
  const picture = await draw(image)
  made.set(cid, Promise.resolve(URL.createObjectURL(picture)))
  await (await open())?.put(addressOf(cid), new Response(picture))
}

interface Wanted {
  cid: string
  signal: AbortSignal
  resolve: (address: string | null) => void
}
const waiting: Wanted[] = []
let running = 0

/** The picture of an image: from what is kept, otherwise from the network. `null` when there is none; given up with the signal. */
export function thumbnailOf(cid: string, fetchIt: boolean, signal: AbortSignal): Promise<string | null> {
  const known = made.get(cid)
  if (known) return known
  return new Promise((resolve) => {
    void kept(cid).then((address) => {
      if (address || !fetchIt || signal.aborted) return resolve(address)
      waiting.push({ cid, signal, resolve })
      work()
    })
  })
}

async function kept(cid: string): Promise<string | null> {
  const answer = await (await open())?.match(addressOf(cid)).catch(() => undefined)
  if (!answer) return null
  const address = URL.createObjectURL(await answer.blob())
  made.set(cid, Promise.resolve(address))
  return address
}

function work(): void {
  // What was scrolled to last is looked at now.
  while (running < AT_ONCE && waiting.length > 0) {
    const wanted = waiting.pop()
    if (!wanted) return
    if (wanted.signal.aborted) {
      wanted.resolve(null)
      continue
    }
    running += 1
    const picture = made.get(wanted.cid) ?? fetchAndDraw(wanted.cid, wanted.signal)
    void picture.then(wanted.resolve).finally(() => {
      running -= 1
      work()
    })
  }
}

async function fetchAndDraw(cid: string, signal: AbortSignal): Promise<string | null> {
  try {
    const sdk = await storage()
    const result = await sdk.downloadAsset({
      assetCid: cid,
      assetType: 'file',
      source: 'own',
      preview: true,
      to: 'blob',
      signal,
    })
    if (result.code !== 0) return null
    const { blob } = result.data as { blob?: Blob }
    if (!blob) return null
    const picture = await draw(blob)
    const address = URL.createObjectURL(picture)
    made.set(cid, Promise.resolve(address))
    void open().then((cache) => cache?.put(addressOf(cid), new Response(picture)))
    return address
  } catch {
    // What cannot be drawn once cannot be drawn again.
    if (!signal.aborted) made.set(cid, Promise.resolve(null))
    return null
  }
}

// Pictures of one person's files are not left for the next.
onSessionEnd(() => {
  for (const picture of made.values()) void picture.then((address) => address && URL.revokeObjectURL(address))
  made.clear()
  waiting.length = 0
  void caches?.delete(CACHE).catch(() => {})
})
