import { describe, expect, it } from 'vitest'
import { clientAddress } from './client-address.ts'
import { readGatewayConfig } from './config.ts'

const config = (proxies: string) =>
  readGatewayConfig({
    TIDENET_SERVER: 'http://127.0.0.1:1',
    TIDENET_S3_GATEWAY_SECRET: 'x'.repeat(64),
    TIDENET_S3_TRUSTED_PROXIES: proxies,
  })
const from = (proxies: string, peer: string, ...forwarded: string[]) =>
  clientAddress(peer, forwarded, config(proxies).isProxy)

describe('the address of a client', () => {
  it('is that of the connection, whatever the client says of itself', () => {
    expect(from('', '203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(from('10.0.0.1', '203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(from('', '::ffff:203.0.113.7')).toBe('203.0.113.7')
  })

  it('is what a trusted proxy saw, not what the client sent to it', () => {
    expect(from('10.0.0.1', '10.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
    expect(from('10.0.0.1', '::ffff:10.0.0.1', '192.0.2.9, 198.51.100.1')).toBe('198.51.100.1')
    expect(from('10.0.0.0/8, fd00::/8', 'fd00::2', '192.0.2.9', '198.51.100.1, 10.2.3.4')).toBe('198.51.100.1')
  })

  it('is that of the proxy itself if it says nothing, or nothing that is an address', () => {
    expect(from('10.0.0.1', '10.0.0.1')).toBe('10.0.0.1')
    for (const bad of ['', 'unknown', '198.51.100.1:80', '"[::1]"'])
      expect(from('10.0.0.1', '10.0.0.1', bad)).toBe('10.0.0.1')
  })

  it('needs a list of addresses and networks', () => {
    for (const bad of ['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '*']) expect(() => config(bad)).toThrow(bad)
  })
})
