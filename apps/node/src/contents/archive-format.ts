import type { Cid } from '@tidenet/content'

/** The header of a CARv1 with one root. */
export function carHeader(root: Cid): Uint8Array {
  // dag-cbor of { roots: [root], version: 1 }
  const link = root.bytes.length + 1
  const body = Buffer.concat([
    Buffer.from([0xa2, 0x65]),
    Buffer.from('roots'),
    Buffer.from([0x81, 0xd8, 0x2a, 0x58, link, 0]),
    root.bytes,
    Buffer.from([0x67]),
    Buffer.from('version'),
    Buffer.from([1]),
  ])
  return Buffer.concat([varint(body.length), body])
}

/** What stands before the bytes of a block in a CAR: the length of what follows, and the CID. */
export function carFrame(cid: Cid, length: number): Uint8Array {
  return Buffer.concat([varint(cid.bytes.length + length), cid.bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...bytes, rest])
}
