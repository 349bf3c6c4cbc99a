import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { inbox } from './inbox.fixture.ts'
import { insertMail } from './repository.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const page = (headers: Record<string, string> = {}, to = '') =>
  world.app.inject({ url: '/dev/mailbox', query: { to }, headers })

describe('the development mailbox', () => {
  it('shows each code large, to people and to programs', async () => {
    await world.call('accounts.verifyCode', { username: 'reader@mail.test', type: 1 })
    const [mail] = await inbox(world, 'Reader@mail.test')
    expect(mail).toMatchObject({ to: 'reader@mail.test', code: expect.stringMatching(/^\d{6}$/) })
    expect(mail?.text).toContain(mail?.code)
    expect((await page()).body).toContain(`<strong>${mail?.code}</strong>`)
  })

  it('lists the newest first and one reader’s alone when asked', async () => {
    await world.call('accounts.verifyCode', { username: 'first@mail.test', type: 1 })
    await world.call('accounts.verifyCode', { username: 'second@mail.test', type: 1 })
    expect((await inbox(world, '')).slice(0, 2).map(({ to }) => to)).toEqual(['second@mail.test', 'first@mail.test'])
    expect(new Set((await inbox(world, 'first@mail.test')).map(({ to }) => to))).toEqual(new Set(['first@mail.test']))
    expect(await inbox(world, "nobody' or 1=1 --\0")).toEqual([])
  })

  it('speaks the language of header, cookie or browser', async () => {
    const chinese = [
      await page({ lang: 'cn' }),
      await page({ cookie: 'lang=zh' }),
      await page({ 'accept-language': 'zh-CN,zh;q=0.9' }),
    ]
    for (const { body } of chinese) expect(body).toContain('<html lang="zh-CN">')
    expect((await page()).body).toContain('<html lang="en">')
    expect((await page()).body).not.toMatch(/\p{Script=Han}/u)
  })

  it('stands under the strict policy: no script and no style in the page', async () => {
    const { body, headers } = await page()
    expect(headers['content-security-policy']).toContain("default-src 'self'")
    expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    expect((await world.app.inject({ url: '/dev/mailbox.css' })).headers['content-type']).toContain('text/css')
  })

  it('renews itself and is kept by nobody', async () => {
    const { body, headers } = await page()
    expect(body).toContain('<meta http-equiv="refresh" content="5">')
    expect(headers['cache-control']).toBe('no-store')
  })

  it('shows what others wrote as text, not as a page', async () => {
    const evil = '<script>alert(1)</script>"\'&'
    await insertMail(
      world.db,
      'x"><img src=x>@mail.test',
      { subject: evil, text: evil, html: evil },
      new Date(world.clock.now()),
    )
    await inbox(world, '')
    const { body } = await page({}, '"><script>')
    expect(body).not.toMatch(/<script|<img/)
  })

  it('is not open to other origins', async () => {
    const answer = await world.app.inject({ url: '/dev/mailbox.json', headers: { origin: 'https://other.test' } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the mailbox, whose mails let anyone in,', () => {
  const status = async (host: string, headers: Record<string, string> = {}) =>
    (await world.app.inject({ url: '/dev/mailbox.json', headers: { host, ...headers } })).statusCode

  it.each(['localhost:8080', 'services.localhost', '127.0.0.1:8080', '[::1]:8080', '192.168.1.5', 'portal.test'])(
    'is shown at %s',
    async (host) => expect(await status(host)).toBe(200),
  )

  it.each(['attacker.example', 'attacker.example:8080', 'localhost.attacker.example', '127.0.0.1.attacker.example'])(
    'refused: at "%s", which may lead here by the will of its owner',
    async (host) => expect(await status(host)).not.toBe(200),
  )

  it('refused: its page and its style there as well', async () => {
    for (const url of ['/dev/mailbox', '/dev/mailbox.css'])
      expect((await world.app.inject({ url, headers: { host: 'attacker.example' } })).statusCode).toBe(404)
  })
})
