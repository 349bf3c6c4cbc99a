import { describe, expect, it } from 'vitest'
import { createClients } from './clients.ts'

describe('the address of a visitor', () => {
  it('is that of the connection without proxies, whatever the visitor says', () => {
    expect(createClients('').addressOf('203.0.113.5', '198.51.100.1')).toBe('203.0.113.5')
    expect(createClients('10.0.0.0/8').addressOf('203.0.113.5', '10.0.0.1')).toBe('203.0.113.5')
    expect(createClients('').addressOf('::ffff:203.0.113.5', undefined)).toBe('203.0.113.5')
  })

  it.each([
    ['10.0.0.7', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.7', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.7', '192.0.2.66, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
    ['10.0.0.7', '2001:db8::1', '2001:db8::1'],
    ['fd00::1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.7', undefined, '10.0.0.7'],
    ['10.0.0.7', 'unknown', '10.0.0.7'],
    ['10.0.0.7', '198.51.100.1, <script>', '10.0.0.7'],
  ])('behind %s that says %s is %s', (peer, forwarded, expected) => {
    expect(createClients('uniquelocal, 192.0.2.1').addressOf(peer, forwarded)).toBe(expected)
  })
})
