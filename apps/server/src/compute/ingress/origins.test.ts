import { describe, expect, it } from 'vitest'
import { isOfStranger } from './origins.ts'

const domain = 'apps.test'
const host = 'web-0123456789ab.apps.test'
const own = 'https://api-0123456789ab.apps.test'
const other = 'https://evil-ba9876543210.apps.test'
const is = (headers: Parameters<typeof isOfStranger>[0], method = 'GET') =>
  isOfStranger(headers, method, { domain, host })
const fetched = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
const link = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

describe('a request', () => {
  it.each([
    ['what is no browser', {}, 'POST'],
    ['the page itself', { 'sec-fetch-site': 'same-origin', origin: `https://${host}` }, 'POST'],
    ['a form of the page that hides its origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 'POST'],
    ['the address bar', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }, 'GET'],
    ['a link on a page of anybody', { ...link, referer: `${other}/` }, 'GET'],
    ['another program of the workspace', { ...fetched, origin: own }, 'PUT'],
    ['an image on a page of another program of the workspace', { ...fetched, referer: `${own}/page` }, 'GET'],
  ])('by %s is the visitor’s own', (_, headers, method) => {
    expect(is(headers, method)).toBe(false)
  })

  it.each([
    ['sent by the page of another tenant', { ...fetched, origin: other }, 'POST'],
    ['sent by a form there', { ...link, origin: other }, 'POST'],
    ['for a script there', { ...fetched, referer: `${other}/` }, 'GET'],
    ['for a script there that hides its page', fetched, 'GET'],
    ['for a frame there', { ...link, 'sec-fetch-dest': 'iframe' }, 'GET'],
    ['for a websocket there', { origin: other }, 'GET'],
    ['of a sandbox', { origin: 'null' }, 'POST'],
    ['of another site', { ...fetched, 'sec-fetch-site': 'cross-site' }, 'GET'],
    ['of a name that begins alike', { origin: `https://api-0123456789ab.apps.test.evil.test` }, 'POST'],
  ])('%s is a stranger’s', (_, headers, method) => {
    expect(is(headers, method)).toBe(true)
  })
})
