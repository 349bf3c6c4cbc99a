import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { sampleShares } from './sample-shares.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())
const { shared, folderOf } = sampleShares(() => env)

describe('following a short link', () => {
  it('redirects browsers with a dead link to a page that says so', async () => {
    const answer = await env.app.inject({ url: '/link/?cid=1&id=none', headers: { accept: 'text/html,*/*' } })
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe('http://portal.test/share?id=none')
  })

  it('returns the target while it is shared', async () => {
    const owner = await env.person()
    const file = await shared(owner, { area_id: ['Germany'] })
    expect((await env.call('shares.target', { id: file.id })).data).toEqual({
      cid: file.cid,
      asset_id: expect.any(Number),
      user_id: owner.uid,
      kind: 'file',
      area_ids: ['Germany'],
    })
    expect((await env.call('shares.target', { cid: file.cid })).data.user_id).toBe(owner.uid)
    await env.call('shares.setStatus', { cid: file.cid, status: 0 }, owner)
    for (const named of [{ id: file.id }, { cid: file.cid }, { id: 'none' }, { cid: '9'.repeat(40) }, {}])
      expect(await env.call('shares.target', named)).toMatchObject({ code: -1, err: 1000 })
  })

  it('finds a folder by id only with the creation time of the link, because ids are guessable', async () => {
    const owner = await env.person()
    const folder = String(await folderOf(owner, 'private'))
    const { data } = await env.call('shares.create', { cid: folder }, owner)
    await env.call('shares.setStatus', { cid: folder }, owner)
    const ts = new URLSearchParams(data.short_link.split('?')[1]).get('ts') ?? ''
    expect((await env.call('shares.follow', { cid: folder, ts })).headers.location).toBe(data.long_link)
    expect((await env.call('shares.target', { id: data.id })).data).toMatchObject({ cid: folder, kind: 'group' })
    expect(await env.call('shares.target', { cid: folder })).toMatchObject({ code: -1, err: 1000 })
    for (const guess of [undefined, '', '0', String(Number(ts) + 1)])
      expect(await env.call('shares.follow', { cid: folder, ts: guess })).toMatchObject({ code: -1, err: 1000 })
  })

  it('is refused if two accounts share the same content and none is named', async () => {
    const [one, two] = [await env.person(), await env.person()]
    const text = 'shared by two'
    const [{ cid }] = [await sampleFile(env.db, one.id, { text }), await sampleFile(env.db, two.id, { text })]
    const { data: first } = await env.call('shares.create', { cid }, one)
    await env.call('shares.setStatus', { cid }, one)
    expect((await env.call('shares.follow', { cid })).headers.location).toBe(first.long_link)
    const { data: second } = await env.call('shares.create', { cid }, two)
    await env.call('shares.setStatus', { cid }, two)
    expect(await env.call('shares.follow', { cid })).toMatchObject({ code: -1, err: 1000 })
    expect((await env.call('shares.follow', { cid, id: first.id })).headers.location).toBe(first.long_link)
    expect((await env.call('shares.follow', { cid, id: second.id })).headers.location).toBe(second.long_link)
    expect(await env.call('shares.follow', { cid, id: 'none' })).toMatchObject({ code: -1, err: 1000 })
    expect(await env.call('shares.follow', {})).toMatchObject({ code: -1, err: 1000 })
  })
})
