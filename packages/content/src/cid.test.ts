import { describe, expect, it } from 'vitest'
import { cidText, decodeCid, multihashHex, parseCid, rawCid, sameCid } from './cid.ts'
import { refusal } from './seeded.fixture.ts'

const EMPTY_FOLDER = 'bafybeiczsscdsbs7ffqz55asqdf3smv6klcw3gofszvwlyarci47bgf354'
const EMPTY_FOLDER_V0 = 'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn'

describe('a CID', () => {
  it('parses from text and formats to the same text', () => {
    for (const text of [EMPTY_FOLDER, EMPTY_FOLDER_V0, 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku']) {
      expect(cidText(parseCid(text))).toBe(text)
    }
  })

  it('is the same content in version 0 and 1', () => {
    expect(sameCid(parseCid(EMPTY_FOLDER), parseCid(EMPTY_FOLDER_V0))).toBe(true)
  })

  it('names raw bytes', async () => {
    const cid = await rawCid(new TextEncoder().encode('hello world'))
    expect(cidText(cid)).toBe('bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e')
    expect(multihashHex(cid)).toBe('1220b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9')
  })

  it('parses from the beginning of bytes', () => {
    const { bytes } = parseCid(EMPTY_FOLDER)
    const read = decodeCid(new Uint8Array([...bytes, 1, 2, 3]))
    expect([cidText(read.cid), read.length]).toEqual([EMPTY_FOLDER, 36])
  })

  it('differs from other content and from the same digest in another codec', async () => {
    const cid = await rawCid(new Uint8Array(1))
    expect(sameCid(cid, await rawCid(new Uint8Array(2)))).toBe(false)
    expect(sameCid(cid, parseCid(EMPTY_FOLDER))).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['words', 'hello'],
    ['a path', '../../etc/passwd'],
    ['a cut CID', EMPTY_FOLDER.slice(0, -1)],
    ['a CID with more behind it', `${EMPTY_FOLDER}aaaa`],
    ['very long text', 'b'.repeat(1_000_000)],
    ['another codec (dag-cbor)', 'bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua'],
    ['another hash (identity)', 'bafkqaaa'],
    ['a libp2p key', 'k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8'],
  ])('refuses %s', async (_what, text) => {
    expect(await refusal(() => parseCid(text))).toBe('bad-cid')
  })

  it('refuses values that are not text', async () => {
    for (const value of [undefined, null, 7, {}, []]) {
      expect(await refusal(() => parseCid(value as unknown as string))).toBe('bad-cid')
    }
  })
})
