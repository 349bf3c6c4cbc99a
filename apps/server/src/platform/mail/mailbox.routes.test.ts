import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { inbox } from './inbox.fixture.ts'
import { insertMail } from './repository.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const page = (headers: Record<string, string> = {}, to = '') =>
  env.app.inject({ url: '/dev/mailbox', query: { to }, headers })

describe('the development mailbox', () => {
  it('shows codes in a large font, and as JSON', async () => {
    await env.call('accounts.verifyCode', { username: 'reader@mail.test', type: 1 })
    const [mail] = await inbox(env, 'Reader@mail.test')
    expect(mail).toMatchObject({ to: 'reader@mail.test', code: expect.stringMatching(/^\d{6}$/) })
    expect(mail?.text).toContain(mail?.code)
    expect((await page()).body).toContain(`<strong>${mail?.code}</strong>`)
  })

  it('lists the newest first, optionally of one recipient', async () => {
    await env.call('accounts.verifyCode', { username: 'first@mail.test', type: 1 })
    await env.call('accounts.verifyCode', { username: 'second@mail.test', type: 1 })
    expect((await inbox(env, '')).slice(0, 2).map(({ to }) => to)).toEqual(['second@mail.test', 'first@mail.test'])
    expect(new Set((await inbox(env, 'first@mail.test')).map(({ to }) => to))).toEqual(new Set(['first@mail.test']))
    expect(await inbox(env, "nobody' or 1=1 --\0")).toEqual([])
  })

  it('uses the language of the header, cookie or browser', async () => {
    const chinese = [
      await page({ lang: 'cn' }),
      await page({ cookie: 'lang=zh' }),
      await page({ 'accept-language': 'zh-CN,zh;q=0.9' }),
    ]
    for (const { body } of chinese) expect(body).toContain('<html lang="zh-CN">')
    expect((await page()).body).toContain('<html lang="en">')
    expect((await page()).body).not.toMatch(/\p{Script=Han}/u)
  })

  it('has a strict content security policy, and no inline script or style', async () => {
    const { body, headers } = await page()
    expect(headers['content-security-policy']).toContain("default-src 'self'")
    expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    expect((await env.app.inject({ url: '/dev/mailbox.css' })).headers['content-type']).toContain('text/css')
  })

  it('refreshes itself and is not cached', async () => {
    const { body, headers } = await page()
    expect(body).toContain('<meta http-equiv="refresh" content="5">')
    expect(headers['cache-control']).toBe('no-store')
  })

  it('escapes HTML', async () => {
    const evil = '<script>alert(1)</script>"\'&'
    await insertMail(
      env.db,
      'x"><img src=x>@mail.test',
      { subject: evil, text: evil, html: evil },
      new Date(env.clock.now()),
    )
    await inbox(env, '')
    const { body } = await page({}, '"><script>')
    expect(body).not.toMatch(/<script|<img/)
  })

  it('does not allow other origins', async () => {
    const answer = await env.app.inject({ url: '/dev/mailbox.json', headers: { origin: 'https://other.test' } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('access to the mailbox', () => {
  const status = async (host: string, headers: Record<string, string> = {}) =>
    (await env.app.inject({ url: '/dev/mailbox.json', headers: { host, ...headers } })).statusCode

  it.each(['localhost:8080', 'services.localhost', '127.0.0.1:8080', '[::1]:8080', '192.168.1.5', 'portal.test'])(
    'is allowed at %s',
    async (host) => expect(await status(host)).toBe(200),
  )

  it.each(['attacker.example', 'attacker.example:8080', 'localhost.attacker.example', '127.0.0.1.attacker.example'])(
    'is refused at %s, which may resolve to this server (DNS rebinding)',
    async (host) => expect(await status(host)).not.toBe(200),
  )

  it('is refused there for the page and its style too', async () => {
    for (const url of ['/dev/mailbox', '/dev/mailbox.css'])
      expect((await env.app.inject({ url, headers: { host: 'attacker.example' } })).statusCode).toBe(404)
  })
})
