import { describe, expect, it } from 'vitest'
import { METADATA_BYTES_MAX, metadataHeaders, readMetadata } from './metadata.ts'
import { codeOf } from './refusal.fixture.ts'
import { headerOf, readHeaders, readTarget, withHoistedHeaders } from './request.ts'

const of = (headers: Record<string, string>) => readHeaders(Object.entries(headers).flat())
/** As Node.js gives it. */
const bytes = (text: string) => Buffer.from(text).toString('latin1')

describe('metadata', () => {
  it('comes back as it was sent', () => {
    const sent = { 'x-amz-meta-note': bytes('注 à'), 'x-amz-meta-__proto__': 'a' }
    const metadata = readMetadata(of({ ...sent, 'X-Amz-Meta-': 'b', 'x-amz-acl': 'private' }))
    expect(metadata.note).toBe('注 à')
    expect(Object.entries(metadataHeaders(metadata)).sort()).toEqual(Object.entries(sent).sort())
  })

  it('has at most 2 KiB of UTF-8', () => {
    const longest = 'a'.repeat(METADATA_BYTES_MAX - 1)
    expect(readMetadata(of({ 'x-amz-meta-b': longest }))).toEqual({ b: longest })
    expect(codeOf(() => readMetadata(of({ 'x-amz-meta-b': `${longest}a` })))).toBe('MetadataTooLarge')
    expect(codeOf(() => readMetadata(of({ 'x-amz-meta-b': '\xe9' })))).toBe('InvalidArgument')
  })
})

describe('the query of a presigned request', () => {
  const target = readTarget(
    `/b/a?X-Amz-Algorithm=a&X-Amz-Signature=b&x-amz-checksum-crc32=AAAAAA%3D%3D&X-Amz-Acl=private&x-amz-meta-note=${encodeURIComponent('注')}&x-amz-meta-bad=a%0d%0ab&prefix=c`,
  )

  it('can hold headers', () => {
    const headers = withHoistedHeaders(of({ host: 'localhost' }), target)
    expect([...headers.keys()].sort()).toEqual(['host', 'x-amz-acl', 'x-amz-meta-note'])
    expect(readMetadata(headers)).toEqual({ note: '注' })
  })

  it('does not change headers that were sent', () => {
    expect(headerOf(withHoistedHeaders(of({ 'x-amz-acl': 'public-read' }), target), 'x-amz-acl')).toBe('public-read')
  })
})
