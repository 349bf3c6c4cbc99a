import { readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { readLimits } from '../limits/limits.ts'
import { createTestEnv, type TestEnv } from '../test-env.fixture.ts'
import { createAccess } from './access.ts'
import { askAddress, askState } from './client.ts'
import { runOpen } from './command.ts'
import { livePart } from './page.ts'
import type { DeviceState } from './state.ts'

let env: TestEnv
let node: StorageNode
let data: string
let port: number
let token: string
beforeAll(async () => {
  env = await createTestEnv()
  data = await env.folder()
  node = await env.start({ data, page: 0 })
  ;({ port, token } = JSON.parse(await readFile(join(data, 'page.json'), 'utf8')) as { port: number; token: string })
})
afterAll(() => env.stop())

const JSON_TYPE = { 'content-type': 'application/json' }
/** A request with headers that `fetch` would not send. */
const send = (path: string, headers: Record<string, string>, body?: object, method = body ? 'POST' : 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, async (answer) => {
      let text = ''
      for await (const part of answer) text += part
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
    })
    asked.on('error', reject)
    asked.end(body && JSON.stringify(body))
  })
const call = async (path: string, body: object, bearer = token) => {
  const { status, text } = await send(path, { ...JSON_TYPE, authorization: `Bearer ${bearer}` }, body)
  const answer = JSON.parse(text) as { token?: string; live?: string; forms?: string; error?: string }
  return { status, ...answer }
}
const change = (wanted: object, lang = 'en') => call('/api/change', { lang, change: wanted })
const state = async () => (await askState(data)) as DeviceState
const LIMITS = { what: 'limits', spaceGiB: null, monthlyGB: null, rates: [], updates: true }

describe('the owner', () => {
  it('opens the page with a code that works once', async () => {
    const code = new URL((await askAddress(data)) ?? '').hash.slice(1)
    const { token: given } = await call('/api/session', { code }, '-')
    expect((await call('/api/page', {}, given)).status).toBe(200)
    expect((await call('/api/session', { code }, '-')).status).toBe(401)
  })

  it('sees state, earnings, space and traffic, in both languages', async () => {
    await env.server.until(() => node.registered)
    const page = await call('/api/page', { lang: 'en' })
    for (const part of ['Online', '42.0', node.id, '8 GiB']) expect(page.live).toContain(part)
    expect(page.live).not.toMatch(/\p{Script=Han}/u)
    const chinese = await call('/api/page', { lang: 'zh' })
    expect(chinese.live).toContain('在线')
    expect(chinese.forms).toContain('保存限制')
    expect((await askState(data))?.earnings).toMatchObject({ owned: true, month: 42_000_000 })
  })

  it('sets space, speed by hour, traffic of a month and updates, and removes them', async () => {
    const rates = [{ from: 8, to: 22, mbits: 5 }]
    expect((await change({ ...LIMITS, spaceGiB: 50, monthlyGB: 500, rates, updates: false })).status).toBe(200)
    expect(await readLimits(data)).toEqual({
      ...{ space: 50 * 2 ** 30, monthly: 500e9, paused: false, updates: false },
      rates: [{ from: 8, to: 22, bytesPerSecond: 625_000 }],
    })
    expect((await call('/api/page', {})).forms).toContain('value="500"')
    expect((await change(LIMITS)).status).toBe(200)
    expect(await readLimits(data)).toEqual({ rates: [], paused: false })
  })

  it('pauses and continues, and leaves and stays', async () => {
    await change({ what: 'pause', on: true })
    await expect.poll(async () => (await askState(data))?.away).toBe('paused')
    await change({ what: 'leave', on: true })
    expect(await readLimits(data)).toMatchObject({ paused: false, leaving: true })
    await change({ what: 'leave', on: false })
    expect((await readLimits(data)).leaving).toBeUndefined()
  })

  it('opens it from the command line; other accounts of the machine see no code in its arguments', async () => {
    const ran: string[] = []
    const options = {
      ...{ env: { TIDENET_LANG: 'en', DISPLAY: ':0' }, installed: data, platform: 'linux' as const, print: () => {} },
      run: (command: readonly string[]) => ({ status: Number(ran.push(command.join(' '))) }),
    }
    await runOpen([], options)
    expect(ran).toEqual([`xdg-open file://${join(data, 'open.html')}`])
    for (const file of ['open.html', 'page.json']) expect((await stat(join(data, file))).mode & 0o077).toBe(0)
  })
})

describe('refused are', () => {
  const page = { ...JSON_TYPE }
  it.each<[string, string, Record<string, string>]>([
    ['a name that leads to this machine', '/', { host: 'evil.example' }],
    ['the same with the port', '/', { host: 'evil.example:PORT' }],
    ['this address at another port', '/', { host: '127.0.0.1:1' }],
    ['no port', '/', { host: '127.0.0.1' }],
    ['a page of another origin', '/api/state', { ...page, authorization: 'TOKEN', origin: 'https://evil.example' }],
    ['a page of another port', '/api/state', { ...page, authorization: 'TOKEN', origin: 'http://127.0.0.1:1' }],
    ['a file on the disk', '/api/state', { ...page, authorization: 'TOKEN', origin: 'null' }],
    ['a frame or an image elsewhere', '/style.css', { 'sec-fetch-site': 'cross-site' }],
    ['a page of the same site at another port', '/', { 'sec-fetch-site': 'same-site' }],
  ])('%s', async (_, path, headers) => {
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('PORT', String(port)).replace('TOKEN', `Bearer ${token}`),
    ])
    const body = path.startsWith('/api') ? {} : undefined
    expect((await send(path, Object.fromEntries(filled) as Record<string, string>, body)).status).toBe(403)
  })

  it('everything but the empty page without the token', async () => {
    for (const path of ['/api/state', '/api/page', '/api/change', '/api/code'])
      for (const bearer of ['', '-', token.slice(1), `${token} x`])
        expect((await call(path, { change: { what: 'pause', on: true } }, bearer)).status).toBe(401)
    expect((await send('/', {})).text).not.toContain(node.id)
    expect((await readLimits(data)).paused).toBe(false)
  })

  it('forms of other pages, which cannot have this type', async () => {
    const authorization = `Bearer ${token}`
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])
      expect((await send('/api/change', { 'content-type': type, authorization }, {})).status).toBe(405)
    expect((await send('/api/change', { ...JSON_TYPE, authorization }, {}, 'PUT')).status).toBe(405)
  })

  it('long and malformed bodies', async () => {
    expect((await call('/api/change', { change: 'x'.repeat(20_000) })).status).toBe(400)
    expect((await call('/api/page', { lang: 'fr' })).status).toBe(400)
  })

  it.each<[string, object]>([
    ['a speed at which audits would fail', { ...LIMITS, rates: [{ from: 0, to: 24, mbits: 0.1 }] }],
    ['no hours', { ...LIMITS, rates: [{ from: 8, to: 8, mbits: 5 }] }],
    ['an hour that no day has', { ...LIMITS, rates: [{ from: 8, to: 25, mbits: 5 }] }],
    ['less than nothing', { ...LIMITS, spaceGiB: -1 }],
    ['other settings', { ...LIMITS, space: 1 }],
    ['something else', { what: 'update', url: 'http://evil.example' }],
  ])('%s, with what to write instead', async (_, wanted) => {
    const { status, error } = await change(wanted)
    expect(status).toBe(400)
    expect(error).toBeTruthy()
    expect((await change(wanted, 'zh')).error).toMatch(/\p{Script=Han}/u)
    expect(await readLimits(data)).toMatchObject({ rates: [], paused: false })
  })

  it('frames, foreign scripts and names from elsewhere: the page carries no markup of others', async () => {
    const { headers } = await send('/', {})
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(livePart({ ...(await state()), portal: '"><script>' }, 'en')).not.toContain('<script')
  })
})

describe('a code', () => {
  it('ends after a minute, and many codes do not end the token of the file', () => {
    let time = 0
    const access = createAccess(
      () => 1,
      () => time,
    )
    const code = access.makeCode()
    time = 60_000
    expect(access.takeCode(code)).toBeUndefined()
    for (let count = 0; count < 200; count += 1) access.takeCode(access.makeCode())
    expect(access.hasToken({ headers: { authorization: `Bearer ${access.token}` } })).toBe(true)
    expect(access.takeCode('')).toBeUndefined()
  })
})

it('without a page, or with its port taken, the node works all the same', async () => {
  const none = await env.folder()
  await env.start({ data: none, page: undefined })
  expect(await askState(none)).toBeUndefined()
  const taken = await env.start({ data: await env.folder(), page: port })
  expect((await fetch(`${taken.url}/health`)).status).toBe(200)
})
