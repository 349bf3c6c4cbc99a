import { randomBytes } from 'node:crypto'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { s3Account } from './s3-client.ts'
import { startGateway } from './s3-gateway.ts'
import { chunksOf, exchangeRaw, hexOf, isWholeAnswer, type Key, messageOf, presigned, signed } from './s3-raw-client.ts'
import { startNetwork } from './test-network.ts'

/** What a stranger sends to the S3 gateway to be taken for somebody else, to reach another object, or to break it. */

let network: Network
let port: number
let host: string
let key: Key
let other: Key
let store: Awaited<ReturnType<Awaited<ReturnType<typeof s3Account>>['bucket']>>
beforeAll(async () => {
  network = await startNetwork({ nodes: 2, s3: { port: 0 } })
  port = Number(new URL(network.s3Url).port)
  host = `127.0.0.1:${port}`
  const account = await s3Account(network)
  key = account.credentials
  store = await account.bucket('photos')
  await account.bucket('other')
  await store.put('a', 'of mine')
  const stranger = await s3Account(network)
  other = stranger.credentials
  await (await stranger.bucket('secret')).put('a', 'of somebody else')
})
afterAll(() => network?.stop())

const close = { connection: 'close' }
/** Sends a signed request without a body. */
const send = (
  method: string,
  path: string,
  more: { query?: string; headers?: Record<string, string>; at?: number } = {},
) => {
  const { headers } = signed(key, { method, path, ...more, headers: { host, ...more.headers } })
  return exchangeRaw(port, [messageOf(method, more.query ? `${path}?${more.query}` : path, { ...headers, ...close })])
}
/** A request with a body that only its length frames. */
const sendBody = (method: string, path: string, query: string, body: string | Buffer) => {
  const bytes = Buffer.from(body)
  const { headers } = signed(key, { method, path, query, headers: { host }, payload: hexOf(bytes) })
  const all = { ...headers, 'content-length': String(bytes.length), ...close }
  return exchangeRaw(port, [messageOf(method, `${path}?${query}`, all), bytes], 10_000)
}
/** A second later, on the same day. */
const later = (stamp = '') => stamp.replace(/\d\dZ$/, (second) => (second === '00Z' ? '01Z' : '00Z'))
const isThere = (name: string) =>
  store.get(name).then(
    ({ bytes }) => bytes.toString(),
    () => undefined,
  )

describe('a signature', () => {
  it('opens what was signed', async () => {
    expect((await send('GET', '/photos/a')).text).toMatch(/^HTTP\/1\.1 200 [\s\S]*of mine$/)
  })

  it.each<[string, (line: string, headers: Record<string, string>) => [string, Record<string, string>]]>([
    ['method', (line, headers) => [line.replace('GET', 'DELETE'), headers]],
    ['object', (line, headers) => [line.replace('/photos/a', '/photos/b'), headers]],
    ['bucket', (line, headers) => [line.replace('/photos', '/other'), headers]],
    ['query', (line, headers) => [`${line}?acl`, headers]],
    ['version of a header', (line, headers) => [line, { ...headers, range: 'bytes=0-1' }]],
    ['host', (line, headers) => [line, { ...headers, host: `photos.localhost:${port}` }]],
    ['time', (line, headers) => [line, { ...headers, 'x-amz-date': later(headers['x-amz-date']) }]],
    ['body', (line, headers) => [line, { ...headers, 'x-amz-content-sha256': hexOf('') }]],
  ])('is for no other %s', async (_, change) => {
    const made = signed(key, { method: 'GET', path: '/photos/a', headers: { host, range: 'bytes=0-3' } })
    const [line, headers] = change('GET /photos/a', made.headers)
    const [method = '', target = ''] = line.split(' ')
    const answer = await exchangeRaw(port, [messageOf(method, target, { ...headers, ...close })])
    expect(answer.statuses).toEqual([403])
    expect(answer.code).toMatch(/^(SignatureDoesNotMatch|RequestTimeTooSkewed|AccessDenied)$/)
    expect(await isThere('a')).toBe('of mine')
  })

  it('covers every header that changes what happens: nobody on the way adds one', async () => {
    const { headers } = signed(key, { method: 'PUT', path: '/photos/copy', headers: { host } })
    const more = { 'x-amz-copy-source': '/photos/a', 'content-length': '0', ...close }
    const answer = await exchangeRaw(port, [messageOf('PUT', '/photos/copy', { ...headers, ...more })])
    expect([answer.statuses, answer.code]).toEqual([[403], 'AccessDenied'])
    expect(await isThere('copy')).toBeUndefined()
  })

  it('is answered in the same way if it is wrong and if nobody has the access key', async () => {
    const wrong = { ...key, secretAccessKey: 'x'.repeat(40) }
    const nobody = { ...wrong, accessKeyId: `TN${'X'.repeat(18)}` }
    const shape = async (by: Key) => {
      const { headers } = signed(by, { method: 'GET', path: '/photos/a', headers: { host } })
      const { text } = await exchangeRaw(port, [messageOf('GET', '/photos/a', { ...headers, ...close })])
      return text.replace(/[0-9A-F]{16}/g, 'ID').replace(/Date: .*/, 'Date')
    }
    const answer = await shape(wrong)
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*SignatureDoesNotMatch/)
    expect(await shape(nobody)).toBe(answer)
    expect(answer).not.toContain(key.accessKeyId)
  })

  it('does not open what another account has', async () => {
    const { headers } = signed(other, { method: 'GET', path: '/photos/a', headers: { host } })
    const answer = await exchangeRaw(port, [messageOf('GET', '/photos/a', { ...headers, ...close })])
    expect([answer.statuses, answer.code]).toEqual([[404], 'NoSuchBucket'])
  })

  it('ends after 15 minutes, and is not valid from a clock that is further ahead', async () => {
    const late = await startGateway(network)
    try {
      const replayed = signed(key, { method: 'GET', path: '/photos/a', headers: { host } })
      const message = messageOf('GET', '/photos/a', { ...replayed.headers, ...close })
      expect((await exchangeRaw(late.port, [message])).statuses).toEqual([200])
      for (const minutes of [16, -16]) {
        await late.program.moveClock(minutes * 60_000)
        const answer = await exchangeRaw(late.port, [message])
        expect([answer.statuses, answer.code]).toEqual([[403], 'RequestTimeTooSkewed'])
      }
    } finally {
      await late.program.stop()
    }
  })
})

describe('a presigned address', () => {
  const get = (target: string, method = 'GET') => exchangeRaw(port, [messageOf(method, target, { host, ...close })])

  it('opens what it was made for, and nothing else', async () => {
    const target = presigned(key, { path: '/photos/a', host })
    expect((await get(target)).statuses).toEqual([200])
    for (const changed of [
      target.replace('X-Amz-Expires=60', 'X-Amz-Expires=604800'),
      target.replace('/photos/a', '/photos/b'),
      `${target}&response-content-type=text%2Fhtml`,
      `${target}&X-Amz-Expires=604800`,
      `${target}&versionId=1`,
      `${target}&uploads`,
    ])
      expect((await get(changed)).statuses, changed).toEqual([403])
    expect((await get(target, 'DELETE')).statuses).toEqual([403])
    expect((await get(target, 'PUT')).statuses).toEqual([403])
    expect(await isThere('a')).toBe('of mine')
  })

  it('ends when it says, and cannot be made for longer than a week', async () => {
    expect((await get(presigned(key, { path: '/photos/a', host, at: Date.now() - 61_000 }))).code).toBe('AccessDenied')
    const forever = await get(presigned(key, { path: '/photos/a', host, expires: 604_801 }))
    expect(forever.code).toBe('AuthorizationQueryParametersError')
  })

  it.each([
    ['ends the header', 'text/html\r\nset-cookie: session=mine'],
    ['HTTP cannot carry', 'attachment; filename="海滩"'],
    ['has a NUL', 'a\0b'],
  ])('cannot ask for a header of the answer that %s', async (_, value) => {
    const more = { 'response-content-disposition': value }
    const answer = await get(presigned(key, { path: '/photos/a', host, more }))
    expect([answer.statuses, answer.code]).toEqual([[400], 'InvalidArgument'])
    expect(answer.text.toLowerCase()).not.toMatch(/^set-cookie/m)
    const usual = await get(
      presigned(key, { path: '/photos/a', host, more: { 'response-content-disposition': 'attachment; filename="a"' } }),
    )
    expect(usual.text).toContain('attachment; filename="a"')
  })
})

describe('a path', () => {
  it.each([
    ['/photos/../other/a', 404, 'NoSuchKey'],
    ['/photos/%2E%2E/other/a', 404, 'NoSuchKey'],
    ['/photos/./a', 404, 'NoSuchKey'],
    ['/photos//a', 404, 'NoSuchKey'],
    ['//photos/a', 400, 'InvalidBucketName'],
    ['/photos%2Fa', 400, 'InvalidBucketName'],
    ['/photos/a%00', 400, 'InvalidRequest'],
    ['/%2E%2E/secret/a', 404, 'NoSuchBucket'],
    ['/secret/a', 404, 'NoSuchBucket'],
  ])('%s is a name, not a way to another object', async (path, status, code) => {
    // The signature covers what the bytes of the path are, in the only form that the protocol has for them.
    const made = signed(key, { method: 'GET', path: path.replace('%2F', '/').replace(/%2E/g, '.'), headers: { host } })
    const answer = await exchangeRaw(port, [messageOf('GET', path, { ...made.headers, ...close })])
    expect([answer.statuses, answer.code]).toEqual([[status], code])
  })

  it.each([
    ['overlong UTF-8', '/photos/%C0%AFa'],
    ['half a character', '/photos/%E6%B5'],
    ['a broken escape', '/photos/%zz'],
    ['an absolute form', 'http://127.0.0.1/photos/a'],
    ['a fragment', '/photos/a#b'],
    ['an asterisk', '*'],
  ])('with %s is refused', async (_, path) => {
    const { headers } = signed(key, { method: 'GET', path, headers: { host } })
    const { statuses, text } = await exchangeRaw(port, [messageOf('GET', path, { ...headers, ...close })])
    expect(statuses).toEqual([400])
    expect(text).not.toContain('of mine')
  })
})

describe('a message that two programs could read differently', () => {
  const smuggled = () => {
    const { headers } = signed(key, { method: 'GET', path: '/photos/a', headers: { host } })
    return messageOf('GET', '/photos/a', headers)
  }
  const put = (headers: Record<string, string>) =>
    Object.entries({
      ...signed(key, { method: 'PUT', path: '/photos/smuggled', headers: { host } }).headers,
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`)

  it.each<[string, () => string]>([
    [
      'length and chunks',
      () =>
        messageOf('PUT', '/photos/smuggled', put({ 'content-length': '4', 'transfer-encoding': 'chunked' })) +
        `0\r\n\r\n${smuggled()}`,
    ],
    [
      'chunks and length',
      () =>
        messageOf('PUT', '/photos/smuggled', put({ 'transfer-encoding': 'chunked', 'content-length': '4' })) +
        `0\r\n\r\n${smuggled()}`,
    ],
    [
      'two lengths',
      () => messageOf('PUT', '/photos/smuggled', [...put({}), 'content-length: 0', 'content-length: 4']) + smuggled(),
    ],
    ['a list of lengths', () => messageOf('PUT', '/photos/smuggled', put({ 'content-length': '0, 4' })) + smuggled()],
    ['a signed length', () => messageOf('PUT', '/photos/smuggled', put({ 'content-length': '+4' })) + smuggled()],
    [
      'a hidden encoding',
      () => messageOf('PUT', '/photos/smuggled', put({ 'transfer-encoding': 'xchunked' })) + smuggled(),
    ],
    [
      'an encoding with a space',
      () =>
        `${messageOf('PUT', '/photos/smuggled', [...put({}), 'transfer-encoding : chunked'])}0\r\n\r\n${smuggled()}`,
    ],
    ['two hosts', () => messageOf('PUT', '/photos/smuggled', [...put({ 'content-length': '0' }), 'host: other'])],
    [
      'two authorizations',
      () =>
        messageOf('PUT', '/photos/smuggled', [...put({ 'content-length': '0' }), 'authorization: AWS4-HMAC-SHA256 a']),
    ],
    [
      'a folded header',
      () => messageOf('PUT', '/photos/smuggled', [...put({ 'content-length': '0' }), 'content-type:', ' text/html']),
    ],
    [
      'lines without CR',
      () => messageOf('PUT', '/photos/smuggled', put({ 'content-length': '0' })).replaceAll('\r\n', '\n'),
    ],
    [
      'a CR within a header',
      () => messageOf('PUT', '/photos/smuggled', put({ 'content-length': '0', 'x-note': 'a\rb' })),
    ],
    [
      'a NUL within a header',
      () => messageOf('PUT', '/photos/smuggled', put({ 'content-length': '0', 'x-note': 'a\0b' })),
    ],
  ])('has %s: it is refused once, and what follows is not read', async (_, message) => {
    const answer = await exchangeRaw(port, [message()], 2000)
    expect(answer.statuses).toHaveLength(1)
    expect(answer.statuses[0]).toBeGreaterThanOrEqual(400)
    expect(answer.statuses[0]).toBeLessThan(500)
    expect(answer.text).not.toContain('of mine')
    expect(await isThere('smuggled')).toBeUndefined()
  })
})

describe('the framing of a body', () => {
  const size = 64 * 1024
  const bytes = randomBytes(3 * size)
  const chunked = (decoded: number, change: (chunks: Buffer[]) => Buffer[] = (chunks) => chunks) => {
    const made = signed(key, {
      method: 'PUT',
      path: '/photos/framed',
      headers: { host, 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': String(decoded) },
      payload: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    })
    const body = Buffer.concat(change(chunksOf(made, bytes, size)))
    const headers = { ...made.headers, 'content-length': String(body.length), ...close }
    return exchangeRaw(port, [messageOf('PUT', '/photos/framed', headers), body], 10_000, isWholeAnswer)
  }
  const flip = (chunk: Buffer, at: number) => {
    const changed = Buffer.from(chunk)
    changed[at] = (changed[at] ?? 0) ^ 1
    return changed
  }

  it('is removed if it is right', async () => {
    expect((await chunked(bytes.length)).statuses).toEqual([200])
    expect((await store.get('framed')).bytes.equals(bytes)).toBe(true)
    await store.put('framed', 'before')
  })

  it.each<[string, () => ReturnType<typeof chunked>]>([
    ['says more bytes than come', () => chunked(bytes.length + 1)],
    ['says fewer bytes than come', () => chunked(bytes.length - 1)],
    [
      'has a changed byte in the middle',
      () => chunked(bytes.length, (all) => all.map((one, at) => (at === 1 ? flip(one, 500) : one))),
    ],
    [
      'has a changed signature',
      () => chunked(bytes.length, (all) => all.map((one, at) => (at === 1 ? flip(one, 30) : one))),
    ],
    ['has its chunks in another order', () => chunked(bytes.length, ([a, b, ...rest]) => [b, a, ...rest] as Buffer[])],
    ['lacks a chunk', () => chunked(bytes.length, ([a, , ...rest]) => [a, ...rest] as Buffer[])],
    ['lacks its end', () => chunked(bytes.length, (all) => all.slice(0, -1))],
    ['goes on behind its end', () => chunked(bytes.length, (all) => [...all, Buffer.from('more')])],
  ])('%s: nothing of it is stored', async (_, sent) => {
    const { statuses, code } = await sent()
    expect(statuses[0]).toBeGreaterThanOrEqual(400)
    expect(code).toMatch(/^(IncompleteBody|SignatureDoesNotMatch)$/)
    expect(await isThere('framed')).toBe('before')
  })
})

describe('XML', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY b${n} "${`&${n === 0 ? 'a' : `b${n - 1}`};`.repeat(10)}">`).join('')}]>`
  const keys = (count: number) => `<Delete>${'<Object><Key>a</Key></Object>'.repeat(count)}</Delete>`
  it.each([
    ['entities that expand', `${bomb}<Delete><Object><Key>&b19;</Key></Object></Delete>`, 'MalformedXML'],
    [
      'a file',
      '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]><Delete><Object><Key>&x;</Key></Object></Delete>',
      'MalformedXML',
    ],
    ['no end of depth', '<Delete>'.repeat(100_000), 'MalformedXML'],
    ['more keys than allowed', keys(1001), 'MalformedXML'],
    ['more bytes than allowed', `<Delete>${' '.repeat(5 * 1024 * 1024)}</Delete>`, 'MaxMessageLengthExceeded'],
    ['bytes that are no text', Buffer.from([0x3c, 0xff, 0xfe, 0x3e]), 'MalformedXML'],
    ['another document', '<CompleteMultipartUpload/>', 'MalformedXML'],
    ['nothing', '', 'MalformedXML'],
  ])('with %s is refused at once', async (_, body, code) => {
    const began = performance.now()
    const answer = await sendBody('POST', '/photos', 'delete=', body)
    expect([answer.statuses, answer.code]).toEqual([[400], code])
    expect(performance.now() - began).toBeLessThan(8000)
    expect(await isThere('a')).toBe('of mine')
  })
})
