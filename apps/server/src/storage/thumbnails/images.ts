import { THUMBNAIL_EDGE_MAX, THUMBNAIL_MAX } from '@tidenet/contract'

interface Size {
  width: number
  height: number
}

/**
 * Whether bytes can be a thumbnail: a still image, by the size in its header small enough to be decoded by whoever opens the folder, or for an
 * encrypted file an age file for one X25519 recipient. What an encrypted one shows is known only to those who have the key.
 */
export function isThumbnail(bytes: Buffer, encrypted: boolean): boolean {
  if (bytes.length === 0 || bytes.length > THUMBNAIL_MAX) return false
  if (encrypted)
    return /^age-encryption\.org\/v1\n-> X25519 [\w+/]{43}\n[\w+/]{43}\n--- [\w+/]{43}\n/.test(start(bytes))
  const size = sizeOfWebp(bytes) ?? sizeOfJpeg(bytes)
  return size !== undefined && [size.width, size.height].every((edge) => edge > 0 && edge <= THUMBNAIL_EDGE_MAX)
}

const start = (bytes: Buffer) => bytes.toString('latin1', 0, 300)

/** https://developers.google.com/speed/webp/docs/riff_container */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || !/^RIFF.{4}WEBPVP8[ LX]/s.test(start(bytes))) return undefined
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined
  switch (bytes[15]) {
    case 0x20:
      // Key frame of VP8, with its start code.
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 0x4c: {
      if (bytes[20] !== 0x2f) return undefined
      const packed = bytes.readUInt32LE(21)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    default: {
      const ANIMATED = 0x02
      if (bytes.readUInt8(20) & ANIMATED) return undefined
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    }
  }
}

/** Segments before a frame: Huffman tables, quantization tables, restart interval, application data, comment. */
const isSegment = (marker: number) =>
  marker === 0xc4 || marker === 0xdb || marker === 0xdd || (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe

/** ITU T.81, B.1.1: segments up to the frame header. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    // Baseline, extended and progressive frames.
    if (marker >= 0xc0 && marker <= 0xc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // Decoders skip fill bytes and markers without a length; read as segments, they would hide another frame from this check.
    if (!isSegment(marker)) return undefined
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
