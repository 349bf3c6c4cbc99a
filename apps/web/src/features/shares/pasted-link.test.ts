import { describe, expect, it } from 'vitest'
import { parsePastedLink } from './pasted-link.ts'

const here = 'https://portal.test'
const read = (text: string) => parsePastedLink(text, here)

describe('parsePastedLink', () => {
  it('accepts a link id', () => {
    expect(read(' 7Fq3kZ-_ab12 ')).toEqual({ id: '7Fq3kZ-_ab12' })
  })

  it('accepts a short link with or without host', () => {
    expect(read('https://portal.test/link?cid=7&ts=1&id=7Fq3kZ-_ab12')).toEqual({ id: '7Fq3kZ-_ab12' })
    expect(read('/link?cid=7&id=7Fq3kZ-_ab12')).toEqual({ id: '7Fq3kZ-_ab12' })
    expect(read('https://portal.test/share?id=7Fq3kZ-_ab12')).toEqual({ id: '7Fq3kZ-_ab12' })
  })

  it('accepts the page of a share', () => {
    expect(read('https://portal.test/distributionstatus?cid=bafy&AssetType=file&address=u1&area_id=Germany')).toEqual({
      search: { cid: 'bafy', address: 'u1', area_id: 'Germany' },
    })
    expect(read('/groupPreview?cid=12&address=u1')).toMatchObject({ search: { cid: '12', address: 'u1' } })
  })

  it.each([
    'https://elsewhere.test/link?id=7Fq3kZ-_ab12',
    '//elsewhere.test/link?id=7Fq3kZ-_ab12',
    'https://user:word@portal.test/link?id=7Fq3kZ-_ab12',
    'javascript:alert(1)',
    'https://portal.test/login?id=7Fq3kZ-_ab12',
    'https://portal.test/link?id=<x>',
    'https://portal.test/share',
    'short',
    '',
  ])('rejects %s', (text) => {
    expect(read(text)).toBeUndefined()
  })
})
