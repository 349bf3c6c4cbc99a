import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { sampleFile } from '../../storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { exportAccount } from './service.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

type Document = Record<string, Record<string, unknown>[]> & { left_out: string[]; account: unknown }
const exported = async (token: string): Promise<Document> => {
  const { status: _, headers, ...document } = await env.call('accountExport.get', {}, { token })
  expect(headers['content-disposition']).toContain('attachment')
  return document as unknown as Document
}
const names = (rows: Record<string, unknown>[] | undefined) => rows?.map(({ name }) => name)

/** A person with one of everything that is easily made. */
async function fullPerson(mark: string): Promise<Person & { cid: string }> {
  const person = await env.person()
  const { cid } = await sampleFile(env.db, person.id, { name: `${mark}.txt` })
  await env.call('folders.create', { name: mark }, person)
  await env.call('apiKeys.create', { key_name: mark }, person)
  await env.call('shares.create', { cid }, person)
  await env.call('shortLinks.create', { cid, note: 'for the printer' }, person)
  await env.call('teams.create', { name: mark }, person)
  await env.call('chat.send', { id: crypto.randomUUID(), text: mark }, person)
  return { ...person, cid }
}

describe('the export of an account', () => {
  it('has its profile, files, folders, links, keys and messages', async () => {
    const person = await fullPerson('mine')
    const document = await exported(person.token)
    expect(document).toMatchObject({ format: 'tidenet-export', account: person.uid, left_out: [] })
    expect(document.profile).toMatchObject([{ uid: person.uid, email: person.email }])
    expect(document.files).toMatchObject([{ name: 'mine.txt', cid: person.cid }])
    expect(names(document.folders)).toEqual(['mine'])
    expect(names(document.api_keys)).toEqual(['mine'])
    expect(document.links).toMatchObject([{ target: person.cid }])
    expect(document.short_links).toMatchObject([{ note: 'for the printer', views: 0 }])
    expect(names(document.teams)).toEqual(['mine'])
    for (const part of ['third_party_replicas', 'download_receipts', 'notifications'])
      expect(document[part]).toEqual([])
    expect(document.messages_to_support).toMatchObject([{ text: 'mine' }])
    expect(document.activity?.some(({ action }) => action === 'key.create')).toBe(true)
  })

  it('has nothing of others', async () => {
    const [person, other] = [await fullPerson('my name'), await fullPerson('foreign name')]
    const text = JSON.stringify(await exported(person.token))
    for (const foreign of [other.uid, other.email, other.cid, 'foreign name']) expect(text).not.toContain(foreign)
  })

  it('has no secret: neither of keys nor of sessions, webhooks or encryption', async () => {
    const person = await env.person()
    const { key, secret, secret_access_key } = (await env.call('apiKeys.create', { key_name: 'k' }, person)).data
    const text = JSON.stringify(await exported(person.token))
    const hash = createHash('sha256').update(key).digest()
    for (const hidden of [key, secret, secret_access_key, person.token, hash.toString('hex'), hash.toString('base64')])
      expect(text).not.toContain(hidden)
    // No column of a part holds bytes, as all hashes and sealed secrets are.
    for (const part of features.flatMap(({ exported: parts }) => parts?.(person) ?? []))
      for (const row of await env.db.rows<Record<string, unknown>>(part.rows))
        expect(Object.values(row).some((value) => value instanceof Uint8Array)).toBe(false)
  })

  it('leaves out for API keys what only a person may see', async () => {
    const person = await fullPerson('for a key')
    const document = await exported(await env.key(person, 'admin'))
    expect(document.left_out).toEqual(
      expect.arrayContaining(['activity', 'sign_ins', 'messages_to_support', 'transcripts']),
    )
    for (const part of document.left_out) expect(document[part]).toBeUndefined()
    expect(names(document.files)).toEqual(['for a key.txt'])
  })

  it('is refused without an account, and to keys without all permissions', async () => {
    const person = await env.person()
    expect(await env.call('accountExport.get', {})).toMatchObject({ code: 401 })
    const key = await env.key(person, ['readFile', 'readFolder'])
    expect((await env.call('accountExport.get', {}, { token: key })).code).not.toBe(0)
  })

  it('is valid for thousands of files, each once, and holds a few hundred of them in memory', async () => {
    const person = await env.person()
    const at = new Date(env.clock.now())
    const start = randomBytes(4).toString('hex')
    await env.db.run(sql`
      insert into contents (cid, hash, kind, size, blocks, created_at) select ${start} || n, ${start} || n, 'file', 1, 1, ${at}
      from generate_series(1, 2501) n`)
    await env.db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, encrypted, areas, created_at, expires_at)
      select ${person.id}, 0, cid, 'file', 'a "quoted" ' || cid, 1, false, '{}', ${at}, ${at} from contents where cid like ${`${start}%`}`)
    const caller = { kind: 'member', userId: person.id, uid: person.uid, email: '', vip: false, role: 'user' } as const
    const stream = await exportAccount(
      env.context,
      features,
      { ...caller, via: 'session', credential: '', permissions: 'all', folders: null },
      { ip: '' },
    )
    const pieces: string[] = []
    for await (const piece of stream) pieces.push(String(piece))
    const document = JSON.parse(pieces.join('')) as Document
    expect(new Set(document.files?.map(({ cid }) => cid)).size).toBe(2501)
    expect(document.files).toHaveLength(2501)
    expect(Math.max(...pieces.map((piece) => piece.split('\n').length))).toBeLessThanOrEqual(502)
  })
})
