import { THUMBNAIL_EDGE_MAX, THUMBNAIL_MAX } from './thumbnails.ts'

/** Which bytes can be a thumbnail. The server asks it of what it keeps, clients of what they decrypt. */

interface Size {
  width: number
  height: number
}

/**
 * Whether bytes can be a thumbnail: a still image, by the size in its header small enough to be decoded by whoever opens the folder, or for an
 * encrypted file an age file for one X25519 recipient. What an encrypted one shows is known only to those who have the key.
 */
export function isThumbnail(bytes: Uint8Array, encrypted: boolean): boolean {
  if (bytes.length === 0 || bytes.length > THUMBNAIL_MAX) return false
  if (encrypted)
    return /^age-encryption\.org\/v1\n-> X25519 [\w+/]{43}\n[\w+/]{43}\n--- [\w+/]{43}\n/.test(start(bytes))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = sizeOfWebp(bytes, view) ?? sizeOfJpeg(view)
  return size !== undefined && [size.width, size.height].every((edge) => edge > 0 && edge <= THUMBNAIL_EDGE_MAX)
}

const start = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, 300))

/** https://developers.google.com/speed/webp/docs/riff_container */
function sizeOfWebp(bytes: Uint8Array, view: DataView): Size | undefined {
  if (bytes.length < 30 || !/^RIFF.{4}WEBPVP8[ LX]/s.test(start(bytes))) return undefined
  if (view.getUint32(4, true) + 8 !== bytes.length) return undefined
  switch (view.getUint8(15)) {
    case 0x20:
      // Key frame of VP8, with its start code.
      if (view.getUint16(23) !== 0x9d01 || view.getUint8(25) !== 0x2a) return undefined
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 0x4c: {
      if (view.getUint8(20) !== 0x2f) return undefined
      const packed = view.getUint32(21, true)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    default: {
      const ANIMATED = 0x02
      if (view.getUint8(20) & ANIMATED) return undefined
      const threeBytes = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
      return { width: threeBytes(24) + 1, height: threeBytes(27) + 1 }
    }
  }
}

/** Segments before a frame: Huffman tables, quantization tables, restart interval, application data, comment. */
const isSegment = (marker: number) =>
  marker === 0xc4 || marker === 0xdb || marker === 0xdd || (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe

/** ITU T.81, B.1.1: segments up to the frame header. */
function sizeOfJpeg(view: DataView): Size | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // Baseline, extended and progressive frames.
    if (marker >= 0xc0 && marker <= 0xc2) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    // Decoders skip fill bytes and markers without a length; read as segments, they would hide another frame from this check.
    if (!isSegment(marker)) return undefined
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}
