import { randomBytes } from 'node:crypto'
import { promises } from 'node:dns'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createLogger } from '@tidenet/daemon'
import { decode, encode } from 'dns-packet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askTcp, askUdp, queryOf, sendUdp } from './dns-client.fixture.ts'
import { createDnsResponder, type DnsResponder } from './dns-responder.ts'
import { everyName } from './dns-zone.ts'

const ZONE = 'apps.example.com'
const log = createLogger('test', 'silent')
const texts = new Map<string, string[]>()
const options = {
  zone: ZONE,
  listen: { host: '127.0.0.1', port: 0 },
  nameservers: ['ns1.example.com', 'ns2.example.com'],
  addresses: everyName(ZONE, ['192.0.2.1', '2001:db8::1']),
  texts: async (name: string) => texts.get(name) ?? [],
  issuers: ['ca.example', 'other.example; accounturi=https://other.example/1'],
  log,
}

let dns: DnsResponder
let resolver: promises.Resolver
beforeAll(async () => {
  dns = await createDnsResponder({ ...options, rate: { perSecond: 1e6, burst: 1e6 } })
  resolver = new promises.Resolver({ timeout: 5000, tries: 1 })
  resolver.setServers([`127.0.0.1:${dns.port}`])
})
afterAll(() => dns.close())
afterEach(() => texts.clear())

describe('answers', () => {
  it('give every name of the zone the addresses of the ingress', async () => {
    expect(await resolver.resolve4(`web-1.${ZONE}`)).toEqual(['192.0.2.1'])
    expect(await resolver.resolve6(`web-1.${ZONE}`)).toEqual(['2001:db8::1'])
    expect(await resolver.resolve4(ZONE)).toEqual(['192.0.2.1'])
  })

  it('give the texts of challenges, several for one name, and those of a moment ago', async () => {
    await expect(resolver.resolveTxt(`_acme-challenge.${ZONE}`)).rejects.toMatchObject({ code: 'ENODATA' })
    texts.set(`_acme-challenge.${ZONE}`, ['one', 'two'])
    expect((await resolver.resolveTxt(`_acme-challenge.${ZONE}`)).sort()).toEqual([['one'], ['two']])
  })

  it('describe the zone at its apex', async () => {
    expect(await resolver.resolveNs(ZONE)).toEqual(options.nameservers)
    expect(await resolver.resolveSoa(ZONE)).toMatchObject({
      nsname: 'ns1.example.com',
      hostmaster: `hostmaster.${ZONE}`,
    })
    expect((await resolver.resolveCaa(ZONE)).map(({ issue }) => issue)).toEqual(options.issuers)
  })

  it('allow no certificates for single names where strangers choose the addresses of names', async () => {
    const ca = 'ca.example; accounturi=https://ca.example/1'
    for (const issuers of [[], [ca]]) {
      const own = await createDnsResponder({ ...options, issuers, wildcardsOnly: true })
      const asker = new promises.Resolver({ timeout: 5000, tries: 1 })
      asker.setServers([`127.0.0.1:${own.port}`])
      const records = await asker.resolveCaa(ZONE)
      await own.close()
      expect(records).toHaveLength(1 + issuers.length)
      expect(records.flatMap(({ issue }) => issue ?? [])).toEqual([';'])
      expect(records.flatMap(({ issuewild }) => issuewild ?? [])).toEqual(issuers)
    }
  })

  it('come from the zone itself, with its SOA if there is no record', async () => {
    expect(await askUdp(dns.port, `a.${ZONE}`, 'A')).toMatchObject({ flag_aa: true, rcode: 'NOERROR' })
    for (const [name, type, rcode] of [
      [`a.${ZONE}`, 'MX', 'NOERROR'],
      [`a.${ZONE}`, 'TXT', 'NOERROR'],
      [`a.${ZONE}`, 'CAA', 'NOERROR'],
      [`_acme-challenge.a.${ZONE}`, 'A', 'NOERROR'],
      [`a.b.${ZONE}`, 'A', 'NXDOMAIN'],
    ] as const)
      expect(await askUdp(dns.port, name, type), `${name} ${type}`).toMatchObject({
        flag_aa: true,
        rcode,
        answers: [],
        authorities: [{ type: 'SOA', name: ZONE }],
      })
  })

  it('keep random upper case, which resolvers require back', async () => {
    const name = 'wEb-1.ApPs.eXaMpLe.CoM'
    expect(await askUdp(dns.port, name, 'A')).toMatchObject({ questions: [{ name }], answers: [{ name }] })
  })

  it('follow EDNS: their own size, no later version', async () => {
    const { additionals } = await askUdp(dns.port, ZONE, 'A', { edns: 4096 })
    expect(additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232, ednsVersion: 0 }])
    const later = await askUdp(dns.port, ZONE, 'A', { edns: 4096, version: 1 })
    expect(later).toMatchObject({ answers: [], additionals: [{ extendedRcode: 1 }] })
    expect((await askUdp(dns.port, ZONE, 'A')).additionals).toEqual([])
  })

  it('are cut by UDP and complete by TCP', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(43, 'x'))
    texts.set(`_acme-challenge.${ZONE}`, many)
    for (const edns of [undefined, 65_000]) {
      const cut = await askUdp(dns.port, `_acme-challenge.${ZONE}`, 'TXT', edns ? { edns } : {})
      expect(cut).toMatchObject({ flag_tc: true, answers: [] })
    }
    expect(await resolver.resolveTxt(`_acme-challenge.${ZONE}`)).toHaveLength(40)
  })

  it('to several queries of one connection come in order', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}.${ZONE}`)
    const answers = await askTcp(
      dns.port,
      names.map((name) => [name, 'A']),
    )
    expect(answers.map(({ questions }) => questions?.[0]?.name)).toEqual(names)
  })

  it('can come from a function of the name, such as for nodes', async () => {
    const nodes = await createDnsResponder({
      ...options,
      addresses: (name) =>
        name === `label.${ZONE}` ? [] : name === `192-0-2-9.label.${ZONE}` ? ['192.0.2.9'] : undefined,
    })
    try {
      expect((await askUdp(nodes.port, `192-0-2-9.label.${ZONE}`, 'A')).answers).toMatchObject([{ data: '192.0.2.9' }])
      // Resolvers that ask label by label would stop at a name that does not exist.
      expect(await askUdp(nodes.port, `label.${ZONE}`, 'A')).toMatchObject({ rcode: 'NOERROR', answers: [] })
      expect(await askUdp(nodes.port, `other.${ZONE}`, 'A')).toMatchObject({ rcode: 'NXDOMAIN' })
    } finally {
      await nodes.close()
    }
  })

  it('can be of the name of the challenge alone, if only that was delegated', async () => {
    const zone = '_acme-challenge.example.net'
    const one = await createDnsResponder({ ...options, zone, addresses: () => undefined })
    texts.set(zone, ['here'])
    try {
      expect((await askUdp(one.port, zone, 'TXT')).answers).toMatchObject([{ data: [Buffer.from('here')] }])
      expect((await askUdp(one.port, zone, 'SOA')).answers).toMatchObject([{ type: 'SOA' }])
    } finally {
      await one.close()
    }
  })

  it('say that they failed if the store does not answer', async () => {
    const broken = await createDnsResponder({ ...options, texts: () => Promise.reject(new Error('down')) })
    try {
      expect(await askUdp(broken.port, `_acme-challenge.${ZONE}`, 'TXT')).toMatchObject({ rcode: 'SERVFAIL' })
    } finally {
      await broken.close()
    }
  })
})

describe('refusals', () => {
  it('are for other zones, other classes, copies of the zone and all records at once', async () => {
    for (const [name, type] of [
      ['example.com', 'A'],
      ['notapps.example.com', 'A'],
      [`a b.${ZONE}`, 'A'],
      ['.', 'NS'],
      [ZONE, 'ANY'],
      [ZONE, 'AXFR'],
      [ZONE, 'IXFR'],
    ] as const) {
      const answer = await askUdp(dns.port, name, type)
      expect(answer, `${name} ${type}`).toMatchObject({
        rcode: 'REFUSED',
        flag_aa: false,
        answers: [],
        authorities: [],
      })
    }
    const chaos = encode({ type: 'query', id: 1, questions: [{ name: 'version.bind', type: 'TXT', class: 'CH' }] })
    expect(decode((await sendUdp(dns.port, chaos)) as Buffer)).toMatchObject({ rcode: 'REFUSED' })
  })

  it('are never longer than the query', async () => {
    for (const query of [
      queryOf(ZONE, 'ANY'),
      queryOf('example.org', 'TXT'),
      queryOf('x.example.org', 'A', { edns: 4096 }),
    ])
      expect((await sendUdp(dns.port, query))?.length).toBeLessThanOrEqual(query.length)
  })

  it('answer rubbish with 12 bytes, or not at all, and continue', async () => {
    const query = queryOf(`a.${ZONE}`, 'A')
    const response = Buffer.from(query)
    response.writeUInt16BE(0x8000, 2)
    const pointer = Buffer.from(query)
    pointer[12] = 0xc0
    const manyQuestions = Buffer.from(query)
    manyQuestions.writeUInt16BE(9, 4)
    const silent = [Buffer.alloc(0), Buffer.alloc(11), response, Buffer.concat([query, Buffer.alloc(2000)])]
    const answers = await Promise.all(silent.map((message) => sendUdp(dns.port, message, 500)))
    expect(answers.filter((answer) => answer !== undefined)).toEqual([])
    for (const message of [pointer, manyQuestions, query.subarray(0, 20), query.subarray(0, -1)])
      expect((await sendUdp(dns.port, message))?.length).toBe(12)
    for (let count = 0; count < 500; count++) {
      const rubbish = Buffer.from(query)
      randomBytes(1 + (count % 8)).copy(rubbish, 2 + (count % (query.length - 2)))
      const answer = sendUdp(dns.port, rubbish, 100)
      // In between, so that the sockets of the test are not too many.
      if (count % 50 === 0) expect((await answer)?.length ?? 0).toBeLessThan(200)
    }
    expect(await resolver.resolve4(`a.${ZONE}`)).toEqual(['192.0.2.1'])
  })

  it('close connections that send too much, nothing, or too many at once', { timeout: 20_000 }, async () => {
    const isClosedAfter = async (bytes: Buffer) => {
      const socket = connect(dns.port, '127.0.0.1')
      socket.on('error', () => {}).resume()
      socket.write(bytes)
      await once(socket, 'close')
    }
    const length = Buffer.from([0xff, 0xff])
    await Promise.all([isClosedAfter(Buffer.concat([length, randomBytes(40_000)])), isClosedAfter(length)])
    const sockets = Array.from({ length: 40 }, () =>
      connect(dns.port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    )
    await Promise.all(sockets.slice(20).map((socket) => socket.destroyed || once(socket, 'close')))
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => askTcp(dns.port, [[ZONE, 'A']])).toHaveLength(1)
  })
})

describe('a flood', () => {
  it('of idle connections keeps nobody away', async () => {
    const idle = Array.from({ length: 272 }, (_, at) =>
      connect({ port: dns.port, host: '127.0.0.1', localAddress: `127.0.${1 + (at % 17)}.1` }).on('error', () => {}),
    )
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    expect(await askTcp(dns.port, [[ZONE, 'A']])).toMatchObject([{ answers: [{ data: '192.0.2.1' }] }])
    for (const socket of idle) socket.destroy()
  })

  let small: DnsResponder
  beforeEach(async () => {
    small = await createDnsResponder({ ...options, rate: { perSecond: 0.001, burst: 10 } })
  })
  afterEach(() => small.close())

  it('of one network gets at most its queries back, and its resolvers are sent to TCP', async () => {
    texts.set(`_acme-challenge.${ZONE}`, ['x'.repeat(43)])
    const query = queryOf(`_acme-challenge.${ZONE}`, 'TXT')
    const answers = (await Promise.all(Array.from({ length: 60 }, () => sendUdp(small.port, query, 1000)))).filter(
      (each) => each !== undefined,
    )
    const full = answers.filter((answer) => answer.length > query.length)
    expect(full.length).toBeLessThanOrEqual(10)
    expect(answers.length).toBeLessThan(40)
    const cut = answers.filter((answer) => answer.length <= query.length).map((answer) => decode(answer))
    expect(cut.length).toBeGreaterThan(10)
    for (const answer of cut) expect(answer).toMatchObject({ flag_tc: true, answers: [] })
    expect(await askTcp(small.port, [[ZONE, 'A']])).toMatchObject([{ answers: [{ data: '192.0.2.1' }] }])
  })
})
