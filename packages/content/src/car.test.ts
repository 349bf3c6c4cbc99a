import { CarReader } from '@ipld/car/reader'
import { CarWriter } from '@ipld/car/writer'
import { CID } from 'multiformats/cid'
import { describe, expect, it } from 'vitest'
import { carFrame, carFrameSize, carHeader, readCar, writeCar } from './car.ts'
import { type Block, type Cid, cidText, rawCid, sameBytes } from './cid.ts'
import { countingBytes, gather, randomPieces, refusal, seededRandom } from './seeded.fixture.ts'
import { writeVarint } from './varint.ts'

async function block(size: number, seed = 0): Promise<Block> {
  const bytes = countingBytes(size, seed)
  return { cid: await rawCid(bytes), bytes }
}

async function* stream(pieces: Iterable<Uint8Array>) {
  yield* pieces
}

async function readAll(bytes: Uint8Array, pieces: Iterable<Uint8Array> = [bytes]) {
  const { roots, blocks } = readCar(stream(pieces))
  const found: { cid: string; size: number; offset: number }[] = []
  for await (const { cid, bytes, offset } of blocks) found.push({ cid: cidText(cid), size: bytes.length, offset })
  return { roots: (await roots).map(cidText), found }
}

const concat = (...parts: Uint8Array[]) => gather(parts)
const varint = (value: number) => {
  const bytes = new Uint8Array(8)
  return bytes.slice(0, writeVarint(bytes, 0, value))
}

async function someCar(sizes = [0, 1, 100, 262_144, 300]) {
  const blocks = await Promise.all(sizes.map((size, index) => block(size, index)))
  const roots = [blocks[0]!.cid]
  return { blocks, roots, bytes: await gather(writeCar(roots, blocks)) }
}

/** Wraps a CARv1, by default as it should be. */
function carV2(data: Uint8Array, given: { offset?: bigint; size?: bigint; padding?: number; index?: Uint8Array } = {}) {
  const { padding = 0, index = countingBytes(70) } = given
  const header = new Uint8Array(51)
  header.set([10, 0xa1, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 2])
  const view = new DataView(header.buffer)
  view.setBigUint64(27, given.offset ?? BigInt(51 + padding), true)
  view.setBigUint64(35, given.size ?? BigInt(data.length), true)
  view.setBigUint64(43, BigInt(51 + padding + data.length), true)
  return concat(header, new Uint8Array(padding), data, index)
}

describe('a CAR', () => {
  it('reads back as written, for any chunk boundaries', async () => {
    const { blocks, roots, bytes } = await someCar()
    const random = seededRandom(1)
    for (const largest of [1, 2, 7, 100, 5000, 1_000_000]) {
      const read = await readAll(bytes, randomPieces(bytes, largest, random))
      expect(read.roots).toEqual(roots.map(cidText))
      expect(read.found.map((found) => found.cid)).toEqual(blocks.map((block) => cidText(block.cid)))
      for (const [index, { offset, size }] of read.found.entries()) {
        expect(sameBytes(bytes.subarray(offset, offset + size), blocks[index]!.bytes)).toBe(true)
      }
    }
  })

  it('is compatible with another implementation', async () => {
    const { blocks, roots, bytes } = await someCar()
    const { writer, out } = CarWriter.create(roots)
    const theirs = gather(out)
    for (const block of blocks) await writer.put(block)
    await writer.close()
    expect(sameBytes(bytes, await theirs)).toBe(true)
    const reader = await CarReader.fromBytes(bytes)
    for (const { cid, bytes } of blocks) expect(sameBytes((await reader.get(cid))!.bytes, bytes)).toBe(true)
  })

  it('of version 2 reads as the CARv1 in it, whatever its index, padding and chunk boundaries', async () => {
    const { blocks, roots, bytes } = await someCar()
    const random = seededRandom(2)
    for (const padding of [0, 1, 4096, 1 << 20])
      for (const index of [new Uint8Array(0), countingBytes(70), countingBytes(100_000)])
        for (const largest of [7, 1_000_000]) {
          const whole = await carV2(bytes, { padding, index })
          const pieces = [...randomPieces(whole, largest, random)]
          let passed = 0
          const reading = readCar(
            (async function* () {
              for (const piece of pieces) {
                passed += piece.length
                yield piece
              }
            })(),
          )
          const found: Block[] = []
          for await (const { offset, ...block } of reading.blocks) {
            expect(sameBytes(whole.subarray(offset, offset + block.bytes.length), block.bytes)).toBe(true)
            found.push(block)
          }
          expect((await reading.roots).map(cidText)).toEqual(roots.map(cidText))
          expect(found.map(({ cid }) => cidText(cid))).toEqual(blocks.map(({ cid }) => cidText(cid)))
          // The whole source was read, so that its sender can finish.
          expect([passed, reading.start(), reading.end()]).toEqual([
            whole.length,
            51 + padding,
            51 + padding + bytes.length,
          ])
        }
  })

  it('has the size that is computed in advance', async () => {
    const { blocks, roots, bytes } = await someCar([0, 90, 91, 92, 16_347, 16_348, 262_144])
    const frames = blocks.reduce((total, block) => total + carFrameSize(block.cid, block.bytes.length), 0)
    expect(bytes.length).toBe(carHeader(roots).length + frames)
    expect(carFrame(blocks[3]!).length).toBe(carFrameSize(blocks[3]!.cid, 92))
  })

  it('has its roots before any block is read', async () => {
    const { roots, bytes } = await someCar()
    const head = bytes.subarray(0, carHeader(roots).length)
    const reading = readCar(
      (async function* () {
        yield head
        await new Promise(() => {})
      })(),
    )
    expect((await reading.roots).map(cidText)).toEqual(roots.map(cidText))
  })

  it('may have no roots, several roots and no blocks', async () => {
    const roots: Cid[] = [(await block(1)).cid, (await block(2)).cid]
    expect(await readAll(carHeader([]))).toEqual({ roots: [], found: [] })
    expect((await readAll(carHeader(roots))).roots).toEqual(roots.map(cidText))
  })

  it('closes its source when the reader stops early', async () => {
    const { bytes } = await someCar()
    let closed = false
    const reading = readCar(
      (async function* () {
        try {
          for (;;) yield bytes
        } finally {
          closed = true
        }
      })(),
    )
    for await (const _ of reading.blocks) break
    expect(closed).toBe(true)
  })
})

describe('a CAR is refused', () => {
  it('when it is truncated anywhere inside a block or the header', async () => {
    const { roots, blocks } = await someCar([10, 20])
    const bytes = await gather(writeCar(roots, blocks))
    const whole = [carHeader(roots).length, carHeader(roots).length + carFrameSize(blocks[0]!.cid, 10), bytes.length]
    for (let length = 0; length < bytes.length; length++) {
      expect(await refusal(readAll(bytes.subarray(0, length)))).toBe(whole.includes(length) ? undefined : 'bad-car')
    }
  })

  it('when a block does not match its CID', async () => {
    const { bytes } = await someCar([10, 20])
    const broken = bytes.slice()
    broken[broken.length - 1]! ^= 1
    expect(await refusal(readAll(broken))).toBe('mismatch')
  })

  it('when lengths are impossible', async () => {
    const header = carHeader([])
    const lengths = [varint(0), varint(1), varint(2 * 1024 * 1024 + 37), varint(2 ** 40), new Uint8Array(12).fill(255)]
    for (const length of [...lengths, Uint8Array.of(0x80, 0x00)]) {
      expect(await refusal(readAll(await concat(header, length, countingBytes(50))))).toBe('bad-car')
    }
    for (const length of [varint(0), varint(100_000), varint(2 ** 50)]) {
      expect(await refusal(readAll(await concat(length, countingBytes(50))))).toBe('bad-car')
    }
  })

  it('when it has another hash or codec, in a block or as its root', async () => {
    const identity = Uint8Array.of(1, 0x55, 0, 2, 65, 66)
    const longIdentity = Uint8Array.of(1, 0x55, 0, 60, ...countingBytes(60))
    const cborCid = (await block(3)).cid.bytes.slice()
    cborCid[1] = 0x71
    for (const cid of [identity, longIdentity, cborCid]) {
      const frame = await concat(carHeader([]), varint(cid.length + 3), cid, countingBytes(3))
      expect(await refusal(readAll(frame))).toBe('unsupported')
    }
    const root = CID.decode(cborCid) as Cid
    expect(await refusal(readAll(carHeader([root])))).toBe('unsupported')
  })

  it('when it is of another version, also inside a CARv2', async () => {
    const version = (number: number) => Uint8Array.of(10, 0xa1, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, number)
    expect(await refusal(readAll(await concat(version(3), new Uint8Array(100))))).toBe('bad-car')
    const { bytes } = await someCar([10])
    const nested = await carV2(await carV2(bytes))
    expect(await refusal(readAll(nested))).toBe('bad-car')
  })

  it('when the offsets of a CARv2 are impossible', async () => {
    const { bytes } = await someCar([10, 20])
    const cases: Parameters<typeof carV2>[1][] = [
      { offset: 0n },
      { offset: 50n },
      { offset: 52n },
      { offset: BigInt(51 + bytes.length) },
      { offset: 2n ** 21n },
      { offset: 2n ** 63n },
      { size: 0n },
      { size: BigInt(bytes.length - 1) },
      { size: BigInt(bytes.length + 1) },
      { size: 2n ** 53n },
      { size: 2n ** 64n - 1n },
      { offset: 2n ** 64n - 1n, size: 2n ** 64n - 1n },
    ]
    for (const header of cases) expect(await refusal(readAll(await carV2(bytes, header)))).toBe('bad-car')
    const whole = await carV2(bytes, { index: new Uint8Array(0) })
    for (let length = 0; length < whole.length; length++)
      expect(await refusal(readAll(whole.subarray(0, length)))).toBe('bad-car')
  })

  it('by both readers when its header is malformed', async () => {
    const { roots, blocks } = readCar(stream([countingBytes(100, 50)]))
    const drain = async () => {
      for await (const _ of blocks);
    }
    expect(await refusal(drain())).toBe('bad-car')
    expect(await refusal(roots)).toBe('bad-car')
  })

  it('when it is malformed in any way', async () => {
    const { bytes } = await someCar([0, 10, 200, 30])
    const random = seededRandom(4)
    for (let round = 0; round < 3000; round++) {
      const broken = bytes.slice(0, Math.floor(random() * bytes.length) + 1)
      for (let edit = 0; edit <= random() * 5; edit++) broken[Math.floor(random() * broken.length)] = random() * 256
      expect([undefined, 'bad-car', 'unsupported', 'mismatch']).toContain(await refusal(readAll(broken)))
    }
    for (let round = 0; round < 500; round++) {
      const noise = Uint8Array.from({ length: 200 }, () => random() * 256)
      expect(await refusal(readAll(noise))).toBe('bad-car')
    }
  })
})
