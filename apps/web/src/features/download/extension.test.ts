import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { destinationOf, isMobile, NO_SETTINGS, waitBeforeRedirect } from './extension.ts'

const settings = {
  edge_signup_url: 'https://edge.example/join?from=portal',
  extension_store_urls: { cn: 'https://store.example/zh', en: 'https://store.example/en' },
}
const here = {
  mobile: false,
  lang: 'en',
  search: '?source=a%20b&medium=c&x=1',
  origin: 'https://portal.example',
} as const

describe('/ext_download redirects', () => {
  it.each([
    ['desktops to the store in their language', settings, {}, 'https://store.example/en'],
    ['Chinese desktops to the Chinese store', settings, { lang: 'cn' }, 'https://store.example/zh'],
    [
      'on a phone to the sign-up, with the whole query',
      settings,
      { mobile: true },
      'https://edge.example/join?from=portal&source=a%20b&medium=c&x=1',
    ],
    [
      'on a phone without a query just there',
      settings,
      { mobile: true, search: '' },
      'https://edge.example/join?from=portal',
    ],
    ['into the portal if nothing is configured', NO_SETTINGS, {}, 'https://portal.example/download#extension'],
    [
      'into the portal on a phone, too',
      NO_SETTINGS,
      { mobile: true },
      'https://portal.example/login?mode=signup&source=a%20b&medium=c&x=1',
    ],
  ] as const)('%s', (_, set, change, url) => expect(destinationOf(set, { ...here, ...change })).toBe(url))
})

describe('the redirect happens', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['500 ms after all requests were answered', () => [Promise.resolve(1)], 500],
    ['500 ms after a request failed', () => [Promise.reject(new Error('blocked'))], 500],
    ['after 500 ms if there are no requests', () => [], 500],
    ['after 4 s if nothing is answered', () => [new Promise(() => {})], 4000],
  ])('%s', async (_, begin, ms) => {
    let left = false
    void waitBeforeRedirect(begin()).then(() => {
      left = true
    })
    await vi.advanceTimersByTimeAsync(ms - 10)
    expect(left).toBe(false)
    await vi.advanceTimersByTimeAsync(20)
    expect(left).toBe(true)
  })
})

it.each([
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile Safari', 5, true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 10, false],
])('%s with %i touch points is mobile: %s', (userAgent, maxTouchPoints, mobile) =>
  expect(isMobile({ userAgent, maxTouchPoints })).toBe(mobile),
)
