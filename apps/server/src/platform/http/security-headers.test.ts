import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { addSecurityHeaders } from './security-headers.ts'

const ALWAYS = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const policy = (nodes: string, ancestors: string) =>
  `default-src 'self';script-src 'self' 'wasm-unsafe-eval';style-src 'self';worker-src 'self';img-src 'self' data: blob: ${nodes};` +
  `media-src 'self' blob: ${nodes};connect-src 'self' ${nodes};frame-src blob:;font-src 'self';object-src 'none';` +
  `base-uri 'self';frame-ancestors ${ancestors};form-action 'self'`

async function headersOf(environment: 'production' | 'development', url: string) {
  const app = Fastify()
  await addSecurityHeaders(app, environment)
  const { headers } = await app.inject(url)
  for (const name of ['content-type', 'content-length', 'date', 'connection']) delete headers[name]
  return headers
}

it('lets nodes serve bytes and media, and never scripts or frames', async () => {
  const policies = new Map(
    String((await headersOf('production', '/'))['content-security-policy'])
      .split(';')
      .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )
  for (const bytes of ['connect-src', 'media-src', 'img-src']) expect(policies.get(bytes)).toContain('https:')
  for (const code of ['script-src', 'frame-src', 'worker-src', 'object-src', 'style-src', 'default-src'])
    expect(policies.get(code)?.filter((source) => /^https?:|\*/.test(source))).toEqual([])
})

it('sends security headers with every response', async () => {
  expect(await headersOf('production', '/td-distributionstatuses')).toEqual({
    ...ALWAYS,
    'content-security-policy': policy('https:', "'none'"),
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'SAMEORIGIN',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
})

it('allows frames for one page, and nodes without TLS outside production', async () => {
  expect(await headersOf('development', '/td-distributionstatus?cid=1')).toEqual({
    ...ALWAYS,
    'content-security-policy': policy('http: https:', '*'),
    'cross-origin-resource-policy': 'cross-origin',
  })
})
