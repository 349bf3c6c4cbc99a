import { describe, expect, it } from 'vitest'
import { codeOf } from './refusal.fixture.ts'
import { BUCKET_TAGS_MAX, OBJECT_TAGS_MAX, readTagging, readTaggingHeader } from './tags.ts'
import { readCompleteMultipartUpload, readCreateBucket, readDelete, readVersioning } from './xml-bodies.ts'

const NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
const body = (name: string, content: string) => Buffer.from(`<${name} ${NAMESPACE}>${content}</${name}>`)

describe('the body of a new bucket', () => {
  const read = (content: string) => readCreateBucket(body('CreateBucketConfiguration', content))

  it('may have a location', () => {
    expect(readCreateBucket(Buffer.alloc(0))).toBeUndefined()
    expect(read('')).toBeUndefined()
    expect(read('\n <LocationConstraint> eu-1 </LocationConstraint>\n')).toBe('eu-1')
  })

  it('is refused for what we cannot make', () => {
    expect(codeOf(() => read('<Bucket><Type>Directory</Type></Bucket>'))).toBe('NotImplemented')
    expect(codeOf(() => read('<Other/>'))).toBe('MalformedXML')
    expect(
      codeOf(() => read('<LocationConstraint>a</LocationConstraint><LocationConstraint>b</LocationConstraint>')),
    ).toBe('MalformedXML')
    expect(codeOf(() => readCreateBucket(body('Other', '')))).toBe('MalformedXML')
  })
})

describe('a list of objects to delete', () => {
  const read = (content: string) => readDelete(body('Delete', content))
  const object = (content: string) => `<Object>${content}</Object>`

  it('has keys as they are, with versions and conditions', () => {
    const content = [
      object('<Key> a&amp;b </Key>'),
      object('<Key>../文</Key><VersionId>1</VersionId><ETag>"abc"</ETag>'),
    ].join('\n  ')
    const objects = [{ key: ' a&b ' }, { key: '../文', versionId: '1', etag: 'abc' }]
    expect(read(content)).toEqual({ objects, isQuiet: false })
    expect(read(`<Quiet>true</Quiet>${content}`)).toEqual({ objects, isQuiet: true })
  })

  it('has 1 to 1,000 keys', () => {
    const many = (count: number) => object('<Key>a</Key>').repeat(count)
    expect(read(many(1000)).objects).toHaveLength(1000)
    for (const content of [
      '',
      many(1001),
      object(''),
      object('<Key/>'),
      object('<Key><a/></Key>'),
      object('<Key>a</Key><Key>b</Key>'),
    ])
      expect(codeOf(() => read(content))).toBe('MalformedXML')
  })

  it('is refused with conditions that we would have to ignore', () => {
    for (const condition of ['<Size>1</Size>', '<LastModifiedTime>2026-01-01</LastModifiedTime>'])
      expect(codeOf(() => read(object(`<Key>a</Key>${condition}`)))).toBe('NotImplemented')
    expect(codeOf(() => read(object('<Key>a</Key><IfSomething>b</IfSomething>')))).toBe('MalformedXML')
  })
})

describe('a list of parts', () => {
  const read = (content: string) => readCompleteMultipartUpload(body('CompleteMultipartUpload', content))
  const part = (number: number | string, more = '<ETag>&quot;abc&quot;</ETag>') =>
    `<Part><PartNumber>${number}</PartNumber>${more}</Part>`

  it('has numbers, ETags and checksums', () => {
    const checksum = '<ChecksumCRC32>AAAAAA==</ChecksumCRC32>'
    expect(read(part(1) + part(7, `<ETag>abc</ETag>${checksum}`))).toEqual([
      { partNumber: 1, etag: 'abc' },
      { partNumber: 7, etag: 'abc', checksum: { algorithm: 'CRC32', value: 'AAAAAA==' } },
    ])
  })

  it('has up to 10,000 of them, with the longest checksum', () => {
    const checksum = `<ChecksumSHA256>${'A'.repeat(43)}=</ChecksumSHA256>`
    const most = Array.from({ length: 10_000 }, (_, index) =>
      part(index + 1, `<ETag>&quot;${'a'.repeat(32)}&quot;</ETag>\n  ${checksum}`),
    )
    expect(read(most.join('\n  '))).toHaveLength(10_000)
    expect(codeOf(() => read(most.join('') + part(1)))).toBe('MalformedXML')
  })

  it('is refused if it is empty, or has no ascending numbers from 1 to 10,000', () => {
    for (const content of ['', part(0), part(10_001), part('1e3'), part(-1), part(''), part(1, ''), part(1, '<ETag/>')])
      expect(codeOf(() => read(content))).toBe('MalformedXML')
    for (const content of [part(2) + part(1), part(1) + part(1)])
      expect(codeOf(() => read(content))).toBe('InvalidPartOrder')
    const etag = '<ETag>a</ETag>'
    expect(codeOf(() => read(part(1, `${etag}<ChecksumCRC32>abc</ChecksumCRC32>`)))).toBe('InvalidRequest')
    const two = '<ChecksumCRC32>AAAAAA==</ChecksumCRC32><ChecksumCRC32C>AAAAAA==</ChecksumCRC32C>'
    expect(codeOf(() => read(part(1, etag + two)))).toBe('MalformedXML')
  })
})

describe('versioning', () => {
  const read = (content: string) => readVersioning(body('VersioningConfiguration', content))

  it('is enabled or suspended, without MFA', () => {
    expect(read('<Status>Enabled</Status>')).toBe('Enabled')
    expect(read('<Status>Suspended</Status><MfaDelete>Disabled</MfaDelete>')).toBe('Suspended')
    expect(codeOf(() => read('<Status>Disabled</Status>'))).toBe('MalformedXML')
    expect(codeOf(() => read(''))).toBe('IllegalVersioningConfigurationException')
    expect(codeOf(() => read('<Status>Enabled</Status><MfaDelete>Enabled</MfaDelete>'))).toBe('NotImplemented')
  })
})

describe('tags', () => {
  const tag = (key: string, value = '') => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`
  const read = (tags: string, max = OBJECT_TAGS_MAX) => readTagging(body('Tagging', `<TagSet>${tags}</TagSet>`), max)
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => tag(`k${index}`)).join('')

  it('come in a body or in a header', () => {
    const tags = [
      { key: '项目 a', value: 'x=y/z' },
      { key: 'b', value: '' },
    ]
    expect(read(tag('项目 a', 'x=y/z') + tag('b'))).toEqual(tags)
    expect(readTaggingHeader('%E9%A1%B9%E7%9B%AE+a=x=y%2Fz&b')).toEqual(tags)
    expect(read('')).toEqual([])
    expect(readTaggingHeader('')).toEqual([])
    expect(read(numbered(BUCKET_TAGS_MAX), BUCKET_TAGS_MAX)).toHaveLength(50)
  })

  it('are refused if they are too many, too long, twice or of odd characters', () => {
    const bad = [
      numbered(11),
      tag('a') + tag('a'),
      tag(''),
      tag('a'.repeat(129)),
      tag('a', 'b'.repeat(257)),
      tag('a&lt;b'),
      tag('aws:a'),
    ]
    for (const tags of bad) expect(codeOf(() => read(tags))).toBe('InvalidTag')
    for (const header of ['a=1&a=2', '=1', 'a=%3C']) expect(codeOf(() => readTaggingHeader(header))).toBe('InvalidTag')
    for (const header of ['a=%', 'a=%ff']) expect(codeOf(() => readTaggingHeader(header))).toBe('InvalidArgument')
    expect(codeOf(() => read('<Tag><Key>a</Key></Tag>'))).toBe('MalformedXML')
    expect(codeOf(() => readTagging(body('Tagging', ''), OBJECT_TAGS_MAX))).toBe('MalformedXML')
  })
})
