import { randomBytes } from 'node:crypto'

/** For tests: headers of images, with random content. */

export function sampleWebp(chunk: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number, flags = 0x10): Buffer {
  const data = Buffer.concat([Buffer.alloc(10), randomBytes(40)])
  if (chunk === 'VP8 ') {
    data.writeUIntBE(0x9d012a, 3, 3)
    data.writeUInt16LE(width, 6)
    data.writeUInt16LE(height, 8)
  } else if (chunk === 'VP8L') {
    data[0] = 0x2f
    data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1)
  } else {
    data.writeUInt32LE(flags, 0)
    data.writeUIntLE(width - 1, 4, 3)
    data.writeUIntLE(height - 1, 7, 3)
  }
  const head = Buffer.from(`RIFF0000WEBP${chunk}0000`)
  head.writeUInt32LE(12 + data.length, 4)
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, data])
}

export function sampleJpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110 1'.replaceAll(' ', ''), 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), frame, randomBytes(40)])
}

const text = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')

export const sampleAge = (stanza = 'X25519'): Buffer =>
  Buffer.concat([
    Buffer.from(`age-encryption.org/v1\n-> ${stanza} ${text(32)}\n${text(32)}\n--- ${text(32)}\n`),
    randomBytes(200),
  ])
