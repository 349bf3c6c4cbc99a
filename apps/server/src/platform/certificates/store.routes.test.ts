import type { CertificateStore } from '@tidenet/certificates'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { databaseStore } from './store-repository.ts'

let env: TestEnv
let store: CertificateStore
beforeAll(async () => {
  env = await setup()
  store = databaseStore(env.db)
})
afterAll(() => env.close())

describe('the store of certificates in the database', () => {
  it('replaces a value only if it is still the one that was read', async () => {
    expect(await store.read('a/b')).toBeUndefined()
    expect(await store.replace('a/b', undefined, 'one')).toBe(true)
    expect(await store.replace('a/b', 'one', 'two')).toBe(true)
    expect(await store.read('a/b')).toBe('two')
    expect(await store.replace('a/b', 'two', undefined)).toBe(true)
    expect(await store.read('a/b')).toBeUndefined()
  })

  it('lets one of many win', async () => {
    const create = Array.from({ length: 20 }, (_, index) => store.replace('a/race', undefined, `v${index}`))
    expect((await Promise.all(create)).filter(Boolean)).toHaveLength(1)
    const before = await store.read('a/race')
    const change = Array.from({ length: 20 }, (_, index) => store.replace('a/race', before, `w${index}`))
    expect((await Promise.all(change)).filter(Boolean)).toHaveLength(1)
  })

  it('lists its keys', async () => {
    for (const key of ['list/%', 'list/_', 'lists/x']) await store.replace(key, undefined, 'one')
    expect((await store.keys('list/')).sort()).toEqual(['list/%', 'list/_'])
  })

  it('refuses what is not as it was thought to be', async () => {
    await store.replace('a/c', undefined, 'one')
    expect(await store.replace('a/c', undefined, 'two')).toBe(false)
    expect(await store.replace('a/c', 'other', 'two')).toBe(false)
    expect(await store.replace('a/c', 'other', undefined)).toBe(false)
    expect(await store.replace('a/c', undefined, undefined)).toBe(false)
    expect(await store.replace('a/none', 'other', 'two')).toBe(false)
    expect(await store.read('a/c')).toBe('one')
  })
})
