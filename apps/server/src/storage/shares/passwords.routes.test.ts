import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { elsewhere, sampleShares } from './sample-shares.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())
const { seconds, gate, shared, tokenFor } = sampleShares(() => env)

const DAY = 24 * 3600 * 1000

describe('the password of a link', () => {
  const check = (owner: Person, cid: string, password?: string, as = elsewhere()) =>
    env.call('shares.check', { cid, username: owner.uid, ...(password !== undefined && { password }) }, as)

  it('is required, and gives a share token that is valid for an hour', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123' })
    const asks = async () => (await env.call('shares.needPass', { cid, username: owner.uid })).data.NeedPass
    expect(await asks()).toBe(true)
    expect(await gate(owner, cid)).toBe('sharePassRequired')
    const token = await tokenFor(owner, cid, 'abc123')
    expect(await gate(owner, cid, { token })).toBe('open')
    env.pass(3600 * 1000 + 1000)
    expect(await gate(owner, cid, { token })).toBe('sharePassRequired')
  })

  it('is not required if there is none', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner)
    expect((await env.call('shares.needPass', { cid, username: owner.uid })).data.NeedPass).toBe(false)
    expect((await check(owner, cid)).code).toBe(0)
    const { cid: bare } = await sampleFile(env.db, owner.id)
    await env.call('shares.setStatus', { cid: bare }, owner)
    expect((await check(owner, bare)).code).toBe(0)
    expect(await gate(owner, bare)).toBe('open')
  })

  it('accepts many correct passwords at the same time', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123' })
    const from = elsewhere()
    const answers = await Promise.all(Array.from({ length: 30 }, () => check(owner, cid, 'abc123', from)))
    expect(answers.every((answer) => answer.code === 0)).toBe(true)
  })

  it('refuses a missing item, then an expired link, then a missing password, then a wrong one', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123', expire_time: seconds(3 * DAY) })
    const { cid: secret } = await sampleFile(env.db, owner.id)
    expect(await check(owner, secret, 'abc123')).toMatchObject({ code: -1, err: 1000 })
    expect(await check(owner, 'rubbish', 'abc123')).toMatchObject({ code: -1, err: 1000 })
    expect(await check(owner, '7', 'abc123')).toMatchObject({ code: -1, err: 1000 })
    expect(await check(owner, cid)).toMatchObject({ code: -1, err: 2059 })
    expect(await check(owner, cid, '')).toMatchObject({ code: -1, err: 2059 })
    for (const wrong of ['abc124', 'ABC123', 'abc1234', 'x'])
      expect(await check(owner, cid, wrong)).toMatchObject({ code: -1, err: 2060 })
    env.pass(3 * DAY)
    expect(await check(owner, cid, 'abc123')).toMatchObject({ code: -1, err: 2058 })
    expect(await gate(owner, cid)).toBe('shareExpired')
  })

  it('locks a guessing caller for a while, and a link that many callers guess at', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123' })
    const from = elsewhere()
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, index) => check(owner, cid, `x${index}`, from)))
    expect(guesses.every((answer) => answer.err === 2060)).toBe(true)
    expect(await check(owner, cid, 'abc123', from)).toMatchObject({ code: -1, err: 2060 })
    expect((await check(owner, cid, 'abc123')).code).toBe(0)
    env.pass(61_000)
    expect((await check(owner, cid, 'abc123', from)).code).toBe(0)
    for (const _ of Array.from({ length: 25 })) {
      const together = elsewhere()
      for (const guess of ['a', 'b', 'c', 'd']) await check(owner, cid, guess, together)
    }
    expect(await check(owner, cid, 'abc123')).toMatchObject({ code: -1, err: 2060 })
    env.pass(61_000)
    expect((await check(owner, cid, 'abc123')).code).toBe(0)
  })
})
