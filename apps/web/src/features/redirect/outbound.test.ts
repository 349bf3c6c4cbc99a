import { describe, expect, it } from 'vitest'
import { checkOutbound } from './outbound.ts'

const rules = {
  origin: 'https://portal.test',
  hosts: ['chat.test', 'docs.test:8443'],
  known: ['https://tus.test/', 'https://specs.test/gateway/'],
}
const check = (text: string | undefined) => checkOutbound(text, rules)

describe('checkOutbound', () => {
  it('accepts pages of this portal, with or without its origin', () => {
    expect(check('/learn?type=NEWS#top')).toEqual({ kind: 'inside', href: '/learn?type=NEWS#top' })
    expect(check('https://portal.test/files')).toEqual({ kind: 'inside', href: '/files' })
  })

  it('allows listed hosts, and asks for URLs that the portal links to', () => {
    expect(check('https://chat.test/room?x=1')).toEqual({
      kind: 'allowed',
      url: 'https://chat.test/room?x=1',
      host: 'chat.test',
    })
    expect(check('https://docs.test:8443/')).toMatchObject({ kind: 'allowed' })
    expect(check('https://tus.test')).toMatchObject({ kind: 'known', host: 'tus.test' })
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
  ])('refuses %s', (text, why) => {
    expect(check(text)).toMatchObject({ kind: 'refused', why })
  })
})
