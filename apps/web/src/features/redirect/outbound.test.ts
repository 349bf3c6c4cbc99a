import { describe, expect, it } from 'vitest'
import { judge } from './outbound.ts'

const rules = {
  origin: 'https://portal.test',
  hosts: ['chat.test', 'docs.test:8443'],
  known: ['https://tus.test/', 'https://specs.test/gateway/'],
}
const of = (text: string | undefined) => judge(text, rules)

describe('an address that somebody is sent to', () => {
  it('is a page of this portal when it has its origin, or none', () => {
    expect(of('/learn?type=NEWS#top')).toEqual({ kind: 'inside', href: '/learn?type=NEWS#top' })
    expect(of('https://portal.test/files')).toEqual({ kind: 'inside', href: '/files' })
  })

  it('is followed when its host is on the list, and asked about when this portal itself names it', () => {
    expect(of('https://chat.test/room?x=1')).toEqual({
      kind: 'allowed',
      url: 'https://chat.test/room?x=1',
      host: 'chat.test',
    })
    expect(of('https://docs.test:8443/')).toMatchObject({ kind: 'allowed' })
    expect(of('https://tus.test')).toMatchObject({ kind: 'known', host: 'tus.test' })
  })

  it.each([
    ['javascript:alert(1)', 'scheme'],
    ['JavaScript://chat.test/%0aalert(1)', 'scheme'],
    ['data:text/html,<script>alert(1)</script>', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['vbscript:x', 'scheme'],
    ['blob:https://portal.test/x', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['chat.test', 'scheme'],
    ['//chat.test/', 'form'],
    ['/\\chat.test', 'form'],
    ['\\\\chat.test', 'form'],
    ['https:\\\\chat.test', 'form'],
    ['https:chat.test', 'form'],
    ['https:/chat.test', 'form'],
    ['https:///chat.test', 'form'],
    [' https://chat.test', 'form'],
    ['java\tscript:alert(1)', 'form'],
    ['https://chat.test\u202e/', 'form'],
    ['/.//elsewhere.test', 'form'],
    ['https://', 'form'],
    ['https://chat.test@elsewhere.test/', 'credentials'],
    ['https://user:word@chat.test/', 'credentials'],
    ['https://@chat.test/', 'credentials'],
    ['https://elsewhere.test/', 'host'],
    ['https://chat.test.elsewhere.test/', 'host'],
    ['https://sub.chat.test/', 'host'],
    ['https://chat.test:444/', 'host'],
    ['https://docs.test/', 'host'],
    ['https://specs.test/other', 'host'],
    ['http://portal.test/', 'host'],
    ['/redirect?url=/redirect', 'loop'],
    [undefined, 'missing'],
    ['', 'missing'],
  ])('is refused when it is %s', (text, why) => {
    expect(of(text)).toMatchObject({ kind: 'refused', why })
  })
})
