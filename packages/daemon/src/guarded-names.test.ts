import { createSocket, type Socket } from 'node:dgram'
import { getServers, lookup, setServers } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'

/** A name server that answers with addresses, or stays silent. */
let dns: Socket
let answers: Record<string, number[][]>
let asked: string[]
const before = getServers()
beforeEach(async () => {
  answers = {}
  asked = []
  dns = createSocket('udp4', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString())
      at += 1 + length
    }
    at += 1
    const name = labels.join('.')
    asked.push(name)
    const addresses = answers[name]
    if (!addresses) return
    const isForIpv4 = query.readUInt16BE(at) === 1
    const found = isForIpv4 ? addresses : []
    const head = Buffer.from(query.subarray(0, at + 4))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(found.length, 6)
    head.writeUInt16BE(0, 10)
    const records = found.map((address) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address]))
    dns.send(Buffer.concat([head, ...records]), from.port, from.address)
  })
  await new Promise<void>((bound) => dns.bind(0, '127.0.0.1', bound))
  setServers([`127.0.0.1:${dns.address().port}`])
})
afterEach(async () => {
  setServers(before)
  await new Promise<void>((closed) => dns.close(closed))
})

const fetchFrom = (url: string, withinMs = 5000) =>
  guardedFetch(url, { most: 1000, withinMs, privateToo: false, manyNames: true }).catch((error: unknown) => error)

describe('refused: a name of a stranger', () => {
  it('with a private address, also next to a public one, or later', async () => {
    const got: string[] = []
    const inside = createServer((request, answer) => {
      got.push(request.url ?? '')
      answer.end()
    })
    await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening))
    const { port } = inside.address() as AddressInfo
    answers['one.example.com'] = [[127, 0, 0, 1]]
    answers['both.example.com'] = [
      [192, 88, 98, 1],
      [10, 0, 0, 1],
    ]
    for (const name of ['one.example.com', 'both.example.com', 'localhost'])
      expect(await fetchFrom(`http://${name}:${port}/`)).toMatchObject({ code: 'EPRIVATE' })
    answers['late.example.com'] = []
    expect(await fetchFrom(`http://late.example.com:${port}/`)).toMatchObject({ code: 'ENOTFOUND' })
    answers['late.example.com'] = [[127, 0, 0, 1]]
    expect(await fetchFrom(`http://late.example.com:${port}/`)).toMatchObject({ code: 'EPRIVATE' })
    expect(got).toEqual([])
    await new Promise((closed) => inside.close(closed))
  })

  it('whose name server stays silent, and others are resolved meanwhile', async () => {
    const waiting = Promise.all(
      Array.from({ length: 20 }, (_, each) => fetchFrom(`http://silent-${each}.example.com/`, 2000)),
    )
    await expect.poll(() => new Set(asked).size).toBe(20)
    expect((await promisify(lookup)('localhost', { family: 4 })).address).toBe('127.0.0.1')
    answers['other.example.com'] = [[127, 0, 0, 1]]
    expect(await fetchFrom('http://other.example.com/')).toMatchObject({ code: 'EPRIVATE' })
    for (const error of await waiting) expect(error).toMatchObject({ code: 'ETIMEDOUT' })
  })
})
