import { describe, expect, it } from 'vitest'
import { addressFor, fileOf } from './built.ts'
import { robots, sitemap } from './sitemap.ts'

const addresses = [
  { path: '/', frame: 'site', prerendered: true },
  { path: '/tss', frame: 'site', prerendered: true },
  { path: '/Upload', frame: 'site', prerendered: true },
  { path: '/upload', frame: 'console', prerendered: false },
  { path: '/learndetail', frame: 'site', prerendered: true },
  { path: '/learndetail?slug=cids', frame: 'site', prerendered: true },
  { path: '/chain/tx/$hash', frame: 'site', prerendered: false },
]

it.each([
  ['/', 'index.html'],
  ['/privacy-policy', 'privacy-policy.html'],
  ['/learndetail?slug=x', 'learndetail/x.html'],
])('the page of %s lies in %s', (path, file) => expect(fileOf(path)).toBe(file))

describe('the address of', () => {
  it.each([
    ['/tss', null, '/tss'],
    ['/tss/', null, '/tss'],
    ['/TSS', null, '/tss'],
    ['//', null, undefined],
    ['/tss//', null, undefined],
    ['/Upload', null, '/Upload'],
    ['/upload', null, '/upload'],
    ['/tss', 'anything', '/tss'],
    ['/learndetail', null, '/learndetail'],
    ['/learndetail', 'cids', '/learndetail?slug=cids'],
    ['/learndetail', '../tss', undefined],
    ['/chain/tx/AB12', null, '/chain/tx/$hash'],
    ['/Chain/TX/ab12/', null, '/chain/tx/$hash'],
    ['/chain/tx', null, undefined],
    ['/chain/tx/', null, undefined],
    ['/chain/tx/AB12/more', null, undefined],
    ['/nowhere', null, undefined],
    ['/__proto__', null, undefined],
  ])('%s with the article %s is %s', (pathname, slug, path) =>
    expect(addressFor(addresses, pathname, slug)?.path).toBe(path),
  )
})

it('the sitemap has prerendered pages in both languages, and articles by their own address', () => {
  const text = sitemap('https://portal.test', addresses)
  expect(text.match(/<loc>.*?<\/loc>/g)).toEqual(
    ['/', '/tss', '/Upload', '/learndetail?slug=cids'].map((path) => `<loc>https://portal.test${path}</loc>`),
  )
  expect(text).toContain('hreflang="zh-CN" href="https://portal.test/learndetail?slug=cids&amp;lang=zh"')
  expect(text).not.toMatch(/&(?!amp;)/)
})

it('robots.txt excludes the API and names the sitemap', () => {
  const lines = robots('https://portal.test').split('\n')
  expect(lines).toContain('Disallow: /api/')
  expect(lines).toContain('Sitemap: https://portal.test/sitemap.xml')
})
