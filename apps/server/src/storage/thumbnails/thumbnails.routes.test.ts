import { THUMBNAILS_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { sampleAge, sampleJpeg, sampleWebp } from './sample-images.fixture.ts'
import { dropThumbnails } from './service.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const picture = () => sampleWebp('VP8 ', 320, 200).toString('base64')
const sampleImage = (person: Person) => sampleFile(env.db, person.id, { size: 1000 })
const keep = (cid: string, image: string, person: Person) => env.call('thumbnails.keep', { cid, image }, person)
const kept = async (cids: string[], person: Person) => (await env.call('thumbnails.get', { cids }, person)).data.list
const DAY = 24 * 3600 * 1000
/** Adds thumbnails that are never due, so that the batches of due ones hold only those of other tests. */
const fill = (person: Person, count: number) =>
  env.db.run(sql`
    insert into thumbnails (user_id, cid, image, created_at, checked_at)
    select ${person.id}, 'cid-' || n, '', at, at from generate_series(1, ${count}) n, (select ${new Date(env.clock.now() + 100 * DAY)}::timestamptz as at) times`)
async function dropAfter(ms: number): Promise<void> {
  env.clock.move(ms)
  try {
    await dropThumbnails(env.context)
  } finally {
    env.clock.move(0)
  }
}

describe('the thumbnail of a file', () => {
  it('is kept as it was sent, and the first one stays', async () => {
    const person = await env.person()
    const [{ cid }, other] = [await sampleImage(person), await sampleImage(person)]
    const image = picture()
    expect(await keep(cid, image, person)).toMatchObject({ data: { kept: true } })
    expect(await keep(cid, picture(), person)).toMatchObject({ data: { kept: false } })
    expect(await kept([cid, other.cid], person)).toEqual([{ cid, image }])
  })

  it('stays while the file is in the trash, and is gone with the content', async () => {
    const person = await env.person()
    const [file, other] = [await sampleImage(person), await sampleImage(person)]
    for (const { cid } of [file, other]) await keep(cid, picture(), person)
    const cids = [file.cid, other.cid]
    await env.call('trash.put', { asset_ids: [file.id] }, person)
    await dropAfter(DAY)
    expect(await kept(cids, person)).toHaveLength(2)
    await env.call('trash.empty', {}, person)
    expect((await kept(cids, person)).map(({ cid }) => cid)).toEqual([other.cid])
    await dropAfter(2 * DAY)
    expect(await env.db.rows(sql`select cid from thumbnails where user_id = ${person.id}`)).toEqual([
      { cid: other.cid },
    ])
  })

  it('of an encrypted one is encrypted', async () => {
    const person = await env.person()
    const { id, cid } = await sampleImage(person)
    await env.db.run(sql`update assets set encrypted = true where id = ${id}`)
    expect(await keep(cid, picture(), person)).toMatchObject({ code: -1, err: 1001 })
    expect(await keep(cid, sampleAge().toString('base64'), person)).toMatchObject({ data: { kept: true } })
  })

  it('is not kept beyond the most of an account', async () => {
    const person = await env.person()
    const { cid } = await sampleImage(person)
    await fill(person, THUMBNAILS_MAX)
    expect(await keep(cid, picture(), person)).toMatchObject({ code: 0, data: { kept: false } })
  })

  it('is not kept beyond the most of an account by calls at the same time', async () => {
    const person = await env.person()
    await fill(person, THUMBNAILS_MAX - 1)
    const files = await Promise.all(Array.from({ length: 8 }, () => sampleImage(person)))
    const answers = await Promise.all(files.map(({ cid }) => keep(cid, picture(), person)))
    expect(answers.filter(({ data }) => data.kept)).toHaveLength(1)
  })

  it('is not kept if the file is smaller, so thumbnails take no more space than the files', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id, { size: 20 })
    expect(await keep(cid, picture(), person)).toMatchObject({ code: 0, data: { kept: false } })
    expect(await kept([cid], person)).toEqual([])
  })
})

it('those of an account take no more space than its files, also if it deletes files that have one', async () => {
  const person = await env.person()
  const size = Buffer.from(picture(), 'base64').length
  const files = await Promise.all([1, 2, 3].map(() => sampleFile(env.db, person.id, { size })))
  const [last, ...deleted] = files as [(typeof files)[0], ...typeof files]
  for (const { cid } of deleted) {
    expect(await keep(cid, picture(), person)).toMatchObject({ data: { kept: true } })
    await env.call('assets.remove', { asset_cid: cid }, person)
  }
  expect(await keep(last.cid, picture(), person)).toMatchObject({ data: { kept: false } })
  await dropAfter(DAY)
  expect(await keep(last.cid, picture(), person)).toMatchObject({ data: { kept: true } })
})

describe('refused', () => {
  it('are strangers, files that the account does not have, and API keys', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const { cid } = await sampleImage(person)
    await keep(cid, picture(), person)
    expect(await kept([cid], stranger)).toEqual([])
    expect(await keep(cid, picture(), stranger)).toMatchObject({ code: -1, err: 10028 })
    expect(await keep('no CID', picture(), person)).toMatchObject({ code: -1, err: 1001 })
    const apikey = await env.key(person, 'admin')
    for (const url of ['/api/v1/storage/thumbnails', '/api/v1/storage/keep_thumbnail'])
      expect((await env.app.inject({ method: 'POST', url, headers: { apikey }, payload: {} })).json()).toMatchObject({
        code: -1,
        err: 1028,
      })
  })

  it('are images of folders, what is no image, and what is too large', async () => {
    const person = await env.person()
    const { cid } = await sampleImage(person)
    const folder = await sampleFile(env.db, person.id, { kind: 'folder' })
    expect(await keep(folder.cid, picture(), person)).toMatchObject({ code: -1, err: 1001 })
    for (const image of ['', '?', Buffer.from('<svg/>').toString('base64'), sampleJpeg(4000, 3000).toString('base64')])
      expect(await keep(cid, image, person)).toMatchObject({ code: -1, err: 1001 })
    expect(await keep(cid, 'A'.repeat(40_000), person)).toMatchObject({ code: -1 })
    expect(await kept([cid], person)).toEqual([])
  })
})
