import { describe, expect, it } from 'vitest'
import { readIngressConfig } from './config.ts'

const platform = { host: '127.0.0.1', publicUrl: 'https://portal.example.org', port: 8080 }
const read = (env: Record<string, string>) => readIngressConfig(env, platform)
const acme = {
  TIDENET_INGRESS_URL: 'https://apps.example.com',
  TIDENET_INGRESS_ACME: 'https://ca.example.net/directory',
  TIDENET_INGRESS_ADDRESSES: '192.0.2.1, 2001:db8::1',
}

describe('settings of the ingress', () => {
  it('need nothing for one machine', () => {
    expect(read({ TIDENET_INGRESS_URL: 'http://localhost:8070' })).toMatchObject({
      port: 8070,
      httpPort: undefined,
      acme: { directory: '' },
    })
  })

  it('open port 80 as soon as certificates are ordered, and another one if it is named', () => {
    expect(read(acme)).toMatchObject({ port: 443, httpPort: 80, addresses: ['192.0.2.1', '2001:db8::1'] })
    expect(read({ ...acme, TIDENET_INGRESS_HTTP_PORT: '8081' }).httpPort).toBe(8081)
  })

  it('name where our name server listens, and the zone that was delegated to it', () => {
    const dns = { ...acme, TIDENET_INGRESS_NAMESERVERS: 'ns1.example.com,ns2.example.com' }
    expect(read({ ...dns, TIDENET_INGRESS_DNS: '[::]:53' }).acme).toMatchObject({
      dns: { host: '::', port: 53 },
      zone: 'apps.example.com',
      nameservers: ['ns1.example.com', 'ns2.example.com'],
    })
    const zone = '_acme-challenge.apps.example.com'
    expect(read({ ...dns, TIDENET_INGRESS_DNS: '0.0.0.0:53', TIDENET_INGRESS_ZONE: zone }).acme.zone).toBe(zone)
  })

  it('name a range of ports for TCP', () => {
    expect(read({ ...acme, TIDENET_INGRESS_TCP_PORTS: '20000-20099' }).tcpPorts).toEqual({ from: 20_000, to: 20_099 })
    expect(read(acme).tcpPorts).toBeUndefined()
  })

  it.each([
    ['ports for TCP without an address', { TIDENET_INGRESS_TCP_PORTS: '20000-20099' }],
    ['20000 as ports for TCP', { ...acme, TIDENET_INGRESS_TCP_PORTS: '20000' }],
    ['20099-20000 as ports for TCP', { ...acme, TIDENET_INGRESS_TCP_PORTS: '20099-20000' }],
    ['80-90 as ports for TCP', { ...acme, TIDENET_INGRESS_TCP_PORTS: '80-90' }],
    ['65000-70000 as ports for TCP', { ...acme, TIDENET_INGRESS_TCP_PORTS: '65000-70000' }],
    ['20000-30000 as ports for TCP', { ...acme, TIDENET_INGRESS_TCP_PORTS: '20000-30000' }],
    ['x-y as ports for TCP', { ...acme, TIDENET_INGRESS_TCP_PORTS: 'x-y' }],
    ['the port of the API among them', { ...acme, TIDENET_INGRESS_TCP_PORTS: '8000-8100' }],
    ['their own port among them', { ...acme, TIDENET_INGRESS_PORT: '20005', TIDENET_INGRESS_TCP_PORTS: '20000-20099' }],
    ['a domain above the portal', { TIDENET_INGRESS_URL: 'https://example.org' }],
    ['ordering for plain HTTP', { ...acme, TIDENET_INGRESS_URL: 'http://apps.example.com' }],
    ['a CA by plain HTTP', { ...acme, TIDENET_INGRESS_ACME: 'http://ca.example.net/directory' }],
    ['ordering without addresses', { ...acme, TIDENET_INGRESS_ADDRESSES: '' }],
    ['addresses that are none', { ...acme, TIDENET_INGRESS_ADDRESSES: 'apps.example.com' }],
    ['a name server without names', { ...acme, TIDENET_INGRESS_DNS: '0.0.0.0:53' }],
    ['a name server without port', { ...acme, TIDENET_INGRESS_DNS: '0.0.0.0' }],
    ['the zone of others', { ...acme, TIDENET_INGRESS_ZONE: 'example.com' }],
    ['a certificate without key', { TIDENET_INGRESS_URL: 'https://apps.example.com', TIDENET_INGRESS_CERT: '/a' }],
  ])('refuse %s', (_, env) => {
    expect(() => read(env)).toThrow(/TIDENET_INGRESS/)
  })
})
