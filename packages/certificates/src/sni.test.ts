import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCertificateIndex, createSniCallback } from './sni.ts'
import { createSigner } from './test-certificates.fixture.ts'
import { readCertificate } from './x509.ts'

let signer: Awaited<ReturnType<typeof createSigner>>
let server: Server
const index = createCertificateIndex()
const put = async (id: string, names: string[], to?: number) => {
  const { cert, key } = await signer.issue(names, to ? { to } : {})
  index.set(id, readCertificate(cert, key))
}

beforeAll(async () => {
  signer = await createSigner()
  await put('wildcard', ['*.apps.example.com'])
  await put('exact', ['shop.apps.example.com'])
  await put('custom', ['shop.example.org', 'www.shop.example.org'])
  server = createServer({ SNICallback: createSniCallback(index.find) }, (socket) => socket.end())
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** The names that the server shows; undefined: no handshake. */
async function namesFor(servername: string, maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3') {
  const { port } = server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, servername, maxVersion, ca: signer.root })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerX509Certificate()?.subjectAltName
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'shows the certificate of the name, before that of all names (%s)',
  async (version) => {
    expect(await namesFor('web.apps.example.com', version)).toBe('DNS:*.apps.example.com')
    expect(await namesFor('shop.apps.example.com', version)).toBe('DNS:shop.apps.example.com')
    expect(await namesFor('WWW.Shop.Example.org', version)).toBe('DNS:shop.example.org, DNS:www.shop.example.org')
  },
)

it('shows a new certificate to the next connection, and the old one until then', async () => {
  const before = index.find('shop.example.org')
  await put('custom', ['shop.example.org'])
  expect(index.find('shop.example.org')).not.toBe(before)
  expect(await namesFor('shop.example.org')).toBe('DNS:shop.example.org')
  expect(await namesFor('www.shop.example.org')).toBeUndefined()
})

it('prefers the one that is valid longest, in any order', async () => {
  const [early, late] = [Date.now() + 1e9, Date.now() + 2e9]
  for (const [one, other] of [
    [early, late],
    [late, early],
  ] as const) {
    await put('one', ['two.example.org'], one)
    await put('other', ['two.example.org'], other)
    expect(index.find('two.example.org')?.notAfter).toBe(Math.floor(late / 1000) * 1000)
  }
})

it('ends the handshake for unknown names, and never shows what belongs to others', async () => {
  for (const name of [
    'apps.example.com',
    'a.b.apps.example.com',
    'example.org',
    'other.example.net',
    'shop.example.org.evil.net',
  ])
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) expect(await namesFor(name, version), name).toBeUndefined()
  expect(await namesFor('')).toBeUndefined()
  index.set('custom', undefined)
  expect(await namesFor('shop.example.org')).toBeUndefined()
})
