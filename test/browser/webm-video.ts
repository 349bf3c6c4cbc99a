import type { Page } from '@playwright/test'

/** Seconds per cluster; each cluster is a seek point. */
const GROUP = 1
const RATE = 5

/**
 * A seekable WebM video of so many seconds, about 100 kB per second: every frame is a key frame, and the cue list is at the start.
 * The browser draws the frames, because its WebP images are single VP8 frames.
 */
export async function film(page: Page, seconds: number): Promise<Buffer> {
  const size = { width: 480, height: 270 }
  const pictures = (
    await page.evaluate(({ width, height }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d', { alpha: false })
      if (!context) throw new Error('this browser draws nothing')
      return Array.from({ length: 10 }, (_, number) => {
        const noise = context.createImageData(width, height)
        for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 80
        context.putImageData(noise, 0, 0)
        context.fillStyle = 'white'
        context.fillRect(number * 48, 0, 48, height)
        return canvas.toDataURL('image/webp', 0.5).split(',')[1] ?? ''
      })
    }, size)
  ).map((base64) => pictureOf(Buffer.from(base64, 'base64')))

  const groups = Array.from({ length: seconds / GROUP }, (_, group) =>
    element(0x1f43b675, [
      element(0xe7, number(group * GROUP * 1000)),
      ...Array.from({ length: GROUP * RATE }, (_, index) => {
        const head = Buffer.from([0x81, 0, 0, 0x80])
        head.writeInt16BE((index * 1000) / RATE, 1)
        return element(0xa3, [head, pictures[(group * GROUP * RATE + index) % pictures.length] ?? Buffer.alloc(0)])
      }),
    ]),
  )
  const about = element(0x1549a966, [
    element(0x2ad7b1, number(1_000_000)),
    element(0x4489, double(seconds * 1000)),
    element(0x4d80, Buffer.from('tide')),
    element(0x5741, Buffer.from('tide')),
  ])
  const tracks = element(
    0x1654ae6b,
    element(0xae, [
      element(0xd7, number(1)),
      element(0x73c5, number(1)),
      element(0x83, number(1)),
      element(0x86, Buffer.from('V_VP8')),
      element(0xe0, [element(0xb0, number(size.width)), element(0xba, number(size.height))]),
    ]),
  )
  const places = (at: (group: number) => number) =>
    element(
      0x1c53bb6b,
      groups.map((_, group) =>
        element(0xbb, [
          element(0xb3, number(group * GROUP * 1000)),
          element(0xb7, [element(0xf7, number(1)), element(0xf1, number(at(group)))]),
        ]),
      ),
    )
  // Numbers have a fixed length, so the size of the cue list is known before its values.
  let next = about.length + tracks.length + places(() => 0).length
  const starts = groups.map((group) => {
    const start = next
    next += group.length
    return start
  })
  const kind = element(0x1a45dfa3, [
    element(0x4282, Buffer.from('webm')),
    element(0x4287, number(2)),
    element(0x4285, number(2)),
  ])
  return Buffer.concat([kind, element(0x18538067, [about, tracks, places((group) => starts[group] ?? 0), ...groups])])
}

/** The VP8 frame of a WebP, without other chunks such as colour profiles. */
function pictureOf(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4)
    if (webp.toString('latin1', at, at + 4) === 'VP8 ') return webp.subarray(at + 8, at + 8 + length)
    at += 8 + length + (length % 2)
  }
  throw new Error('there is no picture of VP8 in it')
}

/** An EBML element (RFC 8794): id, length in eight bytes, content. */
function element(name: number, inside: Buffer | readonly Buffer[]): Buffer {
  const body = Buffer.isBuffer(inside) ? inside : Buffer.concat(inside)
  const head = Buffer.from(name.toString(16).padStart(2, '0'), 'hex')
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(body.length) | (1n << 56n))
  return Buffer.concat([head, length, body])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
