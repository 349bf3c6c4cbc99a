import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { As, Person, TestEnv } from '../../test-env.fixture.ts'
import { sampleObjects } from './sample-objects.fixture.ts'

/** Puts this many kept versions of 1 byte below what a file contains now. */
export async function sampleManyVersions(env: TestEnv, person: Person, name: string, count: number): Promise<void> {
  await env.db.run(sql`
    insert into asset_versions (user_id, asset_id, version, version_id, cid, kind, size, encrypted, created_at, replaced_at, kept, purge_at)
    select user_id, id, version + n - 1, gen_random_uuid(), cid, kind, 1, false, created_at, created_at, true, '9999-12-31'
    from assets, generate_series(1, ${count}::int) n where user_id = ${person.id} and name = ${name}`)
  await env.db.run(sql`update assets set version = version + ${count} where user_id = ${person.id} and name = ${name}`)
  await env.db.run(sql`update object_details d set version = a.version from assets a
    where a.id = d.asset_id and a.version = d.version + ${count} and a.user_id = ${person.id} and a.name = ${name}`)
}

/** Repeats the latest deletion of an account this many times, above it and with versions of their own. */
export const sampleManyDeletions = (env: TestEnv, person: Person, count: number) =>
  env.db.run(sql`
    insert into object_deletions (user_id, folder_id, part, version_id, created_at)
    select user_id, folder_id, part, gen_random_uuid(), created_at
    from (select * from object_deletions where user_id = ${person.id} order by id desc limit 1) d, generate_series(1, ${count}::int)`)

/** Rows of versions that this connection has read, also before and not reported yet. */
export const rowsRead = async (tx: Db): Promise<number> =>
  (
    await tx.one<{ rows: number }>(sql`
      select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) as rows from pg_stat_xact_user_tables
      where relname in ('asset_versions', 'object_deletions', 'trashed_assets')`)
  ).rows

/** Accounts with a bucket `photos`, and what tests do with the versions in it. */
export function sampleVersions(env: () => TestEnv) {
  const { put } = sampleObjects(env)
  async function account(versioning: 'Enabled' | 'Suspended' | '' = 'Enabled', terms: object = { vip: true }) {
    const person = await env().person(terms)
    await env().call('s3.createBucket', { bucket: 'photos' }, person)
    if (versioning !== '') await env().call('s3.changeSettings', { bucket: 'photos', versioning }, person)
    return person
  }

  const set = (person: Person, versioning: 'Enabled' | 'Suspended') =>
    env().call('s3.changeSettings', { bucket: 'photos', versioning }, person)
  /** @returns the version that it made */
  const write = async (person: Person, text: string, key = 'a') => {
    const { results } = (await put(person, person.uid, 'photos', { [key]: text })).data
    return results[0]?.object?.version_id ?? `refused ${results[0]?.err}`
  }
  const remove = async (as: As, ...names: string[]) =>
    (await env().call('s3.remove', { bucket: 'photos', keys: names }, as)).data.markers
  const drop = (as: As, version_id: string, key = 'a') =>
    env().call('s3.removeVersions', { bucket: 'photos', versions: [{ key, version_id }] }, as)
  const find = (as: As, version_id?: string, key = 'a') =>
    env().call('s3.find', { bucket: 'photos', key, ...(version_id !== undefined && { version_id }) }, as)
  const list = async (as: As, more: object = {}) =>
    (await env().call('s3.versions', { bucket: 'photos', ...more }, as)).data
  /** Of each version: its key, its size, or that it is a marker, and whether it is the latest. */
  const shown = async (as: As, more: object = {}) =>
    (await list(as, more)).versions.map(
      ({ key, size, marker, latest }) => `${key} ${marker ? 'marker' : size}${latest ? ' latest' : ''}`,
    )
  return { account, set, write, remove, drop, find, list, shown }
}
