import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'
import { isOwnAddress } from './own-address.ts'

/** A machine whose interface has public addresses; nothing listens there, so what is refused fails before it connects. */
const OWN = ['198.41.0.4', '2606:4700::4']
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  networkInterfaces: () => ({
    lo: [{ address: '127.0.0.1', family: 'IPv4' }],
    eth0: [
      { address: '198.41.0.4', family: 'IPv4' },
      { address: '2606:4700::4', family: 'IPv6' },
      { address: 'fe80::1', family: 'IPv6', scopeid: 2 },
    ],
    gone: undefined,
  }),
}))
const resolved = vi.hoisted(() => ({ addresses: [] as string[] }))
vi.mock('node:dns', async (original) => {
  const dns = await original<typeof import('node:dns')>()
  const resolve4 = async () => resolved.addresses.filter((address) => !address.includes(':'))
  const resolve6 = async () => resolved.addresses.filter((address) => address.includes(':'))
  return { ...dns, promises: { ...dns.promises, resolve4, resolve6 } }
})

const code = (url: string, othersOnly = true, privateToo = false) =>
  guardedFetch(url, {
    most: 10,
    withinMs: 300,
    privateToo,
    othersOnly,
    manyNames: true,
    // Refused by the system: nothing leaves this machine.
    localAddress: '127.0.0.1',
  }).then(
    () => 'answered',
    (error: unknown) => (error as { code: string }).code,
  )

describe('an address of this machine', () => {
  it('is known in every spelling', () => {
    for (const address of [
      ...OWN,
      '2606:4700:0:0:0:0:0:4',
      '::ffff:198.41.0.4',
      '::ffff:c629:4',
      'fe80::1',
      '127.0.0.1',
    ])
      expect(isOwnAddress(address), address).toBe(true)
    for (const address of ['198.41.0.5', '2606:4700::5', '::ffff:198.41.0.5', 'localhost', ''])
      expect(isOwnAddress(address), address).toBe(false)
  })

  it('is refused by its number and by every name that leads there, also next to another one, and later', async () => {
    for (const host of ['198.41.0.4', '[2606:4700::4]', '[::ffff:198.41.0.4]', '3324575748'])
      expect(await code(`http://${host}:9/`), host).toBe('EPRIVATE')
    for (const addresses of [['198.41.0.4'], ['2606:4700::4'], ['198.41.0.5', '198.41.0.4']]) {
      resolved.addresses = addresses
      for (const protocol of ['http', 'https'])
        expect(await code(`${protocol}://rebound.example.com:9/`), addresses.join()).toBe('EPRIVATE')
    }
    resolved.addresses = ['198.41.0.5']
    expect(await code('http://rebound.example.com:9/')).not.toBe('EPRIVATE')
    resolved.addresses = ['198.41.0.4']
    expect(await code('http://rebound.example.com:9/')).toBe('EPRIVATE')
  })

  it('is not refused to requests that may go there, and others never are', async () => {
    expect(await code('http://198.41.0.4:9/', false)).not.toBe('EPRIVATE')
    expect(await code('http://198.41.0.5:9/')).not.toBe('EPRIVATE')
  })
})

describe('a connection to this machine', () => {
  const server = createServer((_, answer) => answer.end('x'))
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
  })
  afterEach(() => server.closeAllConnections())
  afterAll(() => server.close())

  it('that was opened where it was allowed is not used where it is refused', async () => {
    expect(await code(url, true, true)).toBe('answered')
    expect(await code(url, true)).toBe('EPRIVATE')
  })
})
