import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import type { Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { newNetwork, openShares, type Shares, shareActions } from './shares.ts'

let shares: Shares
let env: TestEnv
let owner: Person
let attacker: Person
beforeAll(async () => {
  shares = await openShares()
  ;({ env, owner, attacker } = shares)
})
afterAll(() => env.close())
const { file, folder, share, open } = shareActions(() => shares)

const downloadsOf = async (cid: string) =>
  (
    await env.db.one<{ downloads: number }>(
      sql`select downloads from assets where cid = ${cid} and user_id = ${owner.id}`,
    )
  ).downloads

describe('an asset that is not shared', () => {
  it('looks like one that does not exist, in every public answer', async () => {
    const { cid } = await file()
    const missing = (await sampleFile(env.db, attacker.id)).cid
    const hidden = String(await folder(owner, 'hidden'))
    const answers = async (what: string, group: number, uid: string) =>
      JSON.stringify(
        [
          await env.call('downloads.open', { user_id: uid, asset_cid: what }, newNetwork()),
          await env.call('assets.detail', { user_id: uid, cid: what }),
          await env.call('assets.location', { user_id: uid, cid: what }),
          await env.call('assets.mapOfCid', { user_id: uid, cid: what }),
          await env.call('assets.status', { username: uid, cid: what }),
          await env.call('assets.openStatus', { username: uid, cid: what }),
          await env.call('assets.status', { username: uid, cid: String(group) }),
          await env.call('shares.needPass', { username: uid, cid: what }),
          await env.call('shares.check', { username: uid, cid: what }, newNetwork()),
          await env.call('shares.folder', { user_id: uid, group_id: group }),
        ],
        (key, value) => (key === 'headers' ? undefined : value),
      )
    const there = await answers(cid, Number(hidden), owner.uid)
    expect(await answers(missing, 2_000_000_000, owner.uid)).toBe(there)
    expect(await answers(cid, Number(hidden), 'nobody')).toBe(there)
    expect(await answers(cid, Number(hidden), owner.email)).toBe(there)
  })

  it('is not listed by guessing folder IDs', async () => {
    const secret = await folder(owner, 'secret')
    await file({ folder: secret, name: 'diary.txt' })
    for (const as of [attacker, {}])
      expect(await env.call('shares.folder', { user_id: owner.uid, group_id: secret }, as)).toMatchObject({
        code: -1,
        err: 10018,
      })
    for (const operation of ['folders.contents', 'folders.list'] as const)
      expect(await env.call(operation, { parent: secret }, attacker)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('assets.list', { group_id: secret }, attacker)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('folders.item', { groupid: secret }, attacker)).toMatchObject({ code: -1, err: 10018 })
  })

  it('is not accessible by the ID of a shared folder that does not contain it', async () => {
    const shown = await folder(owner, 'shown')
    await env.call('shares.setStatus', { cid: String(shown) }, owner)
    const { cid } = await file()
    const { cid: inside } = await file({ folder: shown })
    expect(await open(cid, { group_id: shown })).toMatchObject({ code: -1, err: 10028 })
    expect((await open(inside, { group_id: shown })).code).toBe(0)
    expect(await open(inside)).toMatchObject({ code: -1, err: 10028 })
    await env.call('folders.remove', { group_id: shown }, owner)
    expect(await open(inside, { group_id: shown })).toMatchObject({ code: -1, err: 10028 })
  })

  it('is not accessible to a key of the owner without the permission to read', async () => {
    const { cid } = await file()
    const key = { token: await env.key(owner, ['createFile', 'deleteFile']), ...newNetwork() }
    expect(await open(cid, {}, key)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('assets.detail', { cid }, key)).toMatchObject({ code: -1, err: 10028 })
  })
})

describe('a shared folder', () => {
  it('reveals neither secrets nor e-mail addresses, and masks addresses of nodes', async () => {
    const shown = await folder(owner, 'public')
    const { cid } = await file({ folder: shown })
    await env.call('shares.setStatus', { cid: String(shown) }, owner)
    const answers = JSON.stringify([
      await env.call('shares.folder', { user_id: owner.uid, group_id: shown }),
      await env.call('assets.detail', { user_id: owner.uid, cid, group_id: shown }),
      await env.call('assets.mapOfCid', { user_id: owner.uid, cid, group_id: shown }),
    ])
    expect(answers).toContain(cid)
    // Whether there is a password is public.
    expect(answers.replaceAll('"has_password":false', '')).not.toMatch(/passw|short_pass|secret/i)
    expect(answers).not.toContain(owner.email)
    expect(answers).not.toContain('127.0.0.1')
  })

  it('does not lift the download limit of its files', async () => {
    const shown = await folder(owner, 'limited')
    const { cid } = await file({ folder: shown })
    await env.call('shares.setStatus', { cid: String(shown) }, owner)
    for (let index = 0; index < 10; index++) expect((await open(cid, { group_id: shown })).code).toBe(0)
    expect(await open(cid, { group_id: shown })).toMatchObject({ code: -1, err: 2064 })
  })
})

describe('the limit of ten downloads', () => {
  it('is not used up by repeated requests of one visitor, nor by opening the page', async () => {
    const { cid } = await file()
    const { id } = await share(cid)
    const shown = String(await folder(owner, 'looked at'))
    await env.call('shares.setStatus', { cid: shown }, owner)
    const one = newNetwork()
    await Promise.all(Array.from({ length: 30 }, () => open(cid, {}, one)))
    for (let index = 0; index < 15; index++) {
      const as = newNetwork()
      await env.call('assets.status', { username: owner.uid, cid }, as)
      await env.call('assets.status', { username: owner.uid, cid: shown }, as)
      await env.call('assets.detail', { user_id: owner.uid, cid }, as)
      await env.call('shares.needPass', { username: owner.uid, cid }, as)
      await env.call('shares.folder', { user_id: owner.uid, group_id: Number(shown) }, as)
      await env.call('shares.follow', { cid, id }, as)
    }
    expect(await downloadsOf(cid)).toBe(1)
    const { list } = (await env.call('folders.list', {}, owner)).data
    expect(list.find((group) => String(group.ID) === shown)?.VisitCount).toBe(0)
  })

  it('is not exceeded by concurrent requests', async () => {
    const { cid } = await file()
    await share(cid)
    const answers = await Promise.all(Array.from({ length: 50 }, () => open(cid)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(10)
    expect(answers.filter((answer) => answer.err === 2064)).toHaveLength(40)
    expect(await downloadsOf(cid)).toBe(10)
  })
})
