import { type AddressInfo, connect } from 'node:net'
import { errors, errorText } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const json = { 'content-type': 'application/json' }
const check = '/api/v1/storage/check_share'
const post = (payload: string, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  env.app.inject({ method: 'POST', url: check, payload, headers, remoteAddress })
const get = (url: string, headers: Record<string, string> = {}) => env.app.inject({ method: 'GET', url, headers })

describe('errors before an operation are answered in the envelope and language of the caller', () => {
  it.each([
    ['a body that is not JSON', 400, 'bodyNotJson', () => post('{bad', { ...json, lang: 'cn' })],
    ['an empty body', 400, 'bodyNotJson', () => post('', { ...json, lang: 'cn' })],
    ['another content type', 415, 'bodyKind', () => post('<a/>', { 'content-type': 'text/xml', lang: 'cn' })],
    [
      'a malformed percent-encoding',
      400,
      'badAddress',
      () => get('/api/v1/storage/temp_file/info/%E0%A4%A', { lang: 'cn' }),
    ],
    [
      'a path that is too long',
      414,
      'badAddress',
      () => get(`/api/v1/storage/temp_file/info/${'a'.repeat(400)}`, { lang: 'cn' }),
    ],
  ] as const)('%s', async (_, status, key, ask) => {
    const answer = await ask()
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual({ code: -1, err: errors[key].err, msg: errorText(key, 'cn') })
  })

  it.each([
    ['no HTTP at all', 400, 'requestMalformed', 'hello\r\n\r\n'],
    ['an unknown version', 400, 'requestMalformed', 'GET / HTTP/9.9\r\n\r\n'],
    ['a malformed header', 400, 'requestMalformed', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n'],
    [
      'two lengths',
      400,
      'requestMalformed',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'headers that are too large',
      431,
      'headersTooLarge',
      `GET / HTTP/1.1\r\nHost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
  ] as const)('%s', async (_, status, key, request) => {
    await env.app.listen({ host: '127.0.0.1', port: 0 }).catch(() => {})
    const { port } = env.app.server.address() as AddressInfo
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer.split(' ')[1]).toBe(String(status))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      code: -1,
      err: errors[key].err,
      msg: errorText(key, 'en'),
    })
  })

  it('names the limit for a body that is too large', async () => {
    const answer = await post(JSON.stringify({ cid: 'a'.repeat(2 * 1024 * 1024) }), json)
    expect(answer.statusCode).toBe(413)
    expect(answer.json().msg).toBe(errorText('bodyTooLarge', 'en', { max: 1024 * 1024 }))
  })

  it('sends Retry-After for too many requests', async () => {
    let answer = await post('{}', json)
    for (let calls = 0; calls < 100 && answer.statusCode !== 429; calls++) answer = await post('{}', json)
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(answer.json()).toEqual({
      code: -1,
      err: 1020,
      msg: errorText('tooManyRequests', 'en', { seconds }),
      data: { seconds },
    })
  })

  it('counts all addresses of an IPv6 /64 together', async () => {
    const from = async (ip: string) =>
      (await env.call('shares.check', { cid: 'x', username: 'nobody', password: '' }, { ip })).status
    const statuses = []
    for (let host = 0; host < 65; host++) statuses.push(await from(`2001:db8:0:1::${host.toString(16)}`))
    expect(statuses.at(-1)).toBe(429)
    expect(await from('2001:db8:0:2::1')).toBe(200)
  })

  it('does not mention sessions to a caller with an unknown API key', async () => {
    const key = `tnk_${'A'.repeat(43)}`
    const answers = [
      get('/api/v1/storage/get_vip_info', { apikey: key }),
      get('/api/v1/storage/get_vip_info', { jwtauthorization: `Bearer ${key}` }),
    ]
    for (const answer of await Promise.all(answers))
      expect(answer.json()).toEqual({ code: 401, msg: errorText('keyRejected', 'en'), success: false })
    const session = await get('/api/v1/storage/get_vip_info', { jwtauthorization: 'Bearer a.b.c' })
    expect(session.json().msg).toBe(errorText('sessionExpired', 'en'))
  })

  it('names the invalid field and its limit in the language of the caller', async () => {
    const [en, cn] = await Promise.all(
      (['en', 'cn'] as const).map(async (lang) =>
        (
          await get(
            '/api/v1/storage/get_fil_storage_list?cid=bafkreieq5jui4j25lacwomsqgjeswwl3y5zcdrresptwgmfylxo2depppq&page_size=1000',
            { lang },
          )
        ).json(),
      ),
    )
    for (const answer of [en, cn]) {
      expect(answer).toMatchObject({ code: -1, err: 1001 })
      expect(answer.msg).toMatch(/page_size.*100\b/)
    }
    expect(en.msg).not.toBe(cn.msg)
  })
})

describe('a JSON body', () => {
  const asked = JSON.stringify({ cid: 'x', username: 'nobody', password: '' })
  const as = (headers: { 'content-type'?: string }, payload = asked) =>
    post(payload, headers as Record<string, string>, '8.8.4.4')

  it('is read without a content type, and as plain text', async () => {
    const expected = (await as(json)).json()
    expect(expected.err).not.toBe(1001)
    for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-type': 'text/plain;charset=UTF-8' }])
      expect((await as(headers)).json()).toEqual(expected)
  })

  it('is refused if it is no JSON, or has prototypes, as with its type', async () => {
    for (const payload of ['a=b', '{bad', '{"__proto__":{"x":1}}'])
      for (const headers of [{}, { 'content-type': 'text/plain' }]) {
        const answer = await as(headers, payload)
        expect([payload, answer.json()]).toEqual([payload, (await as(json, payload)).json()])
      }
  })

  it('is refused as a form or of another type', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
      'text/xml',
      'text/plainx',
    ])
      expect((await as({ 'content-type': type })).statusCode).toBe(415)
  })
})
