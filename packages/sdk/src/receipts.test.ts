import { RECEIPT_PENDING } from '@tidenet/contract/constants'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestEnv, type TestEnv } from './test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await startTestEnv()
})
afterAll(() => env.close())
beforeEach(() => env.answers.clear())

const pending = { code: -1, err: RECEIPT_PENDING, msg: 'pending' }

describe('a receipt', () => {
  it('is returned by its id', async () => {
    env.answers.set('7', () => ({ tidenet: 'receipt' }))
    expect(await env.storage().receipts.get(7)).toMatchObject({ code: 0, data: { tidenet: 'receipt' } })
  })

  it('is waited for while it is being written', async () => {
    let answers = 0
    env.answers.set('8', () => (answers++ < 3 ? pending : { tidenet: 'receipt' }))
    expect(await env.storage().receipts.get(8)).toMatchObject({ code: 0 })
    expect(env.pauses.length).toBeGreaterThanOrEqual(3)
  })

  it('of a file is named by its upload', async () => {
    env.answers.set('share_asset', () => ({ url: ['http://node'], receipt_id: 9 }))
    const uploaded = await env.storage().uploadAsset(new Uint8Array(9), { name: 'a' })
    expect(uploaded).toMatchObject({ code: 0, data: { receipt_id: 9 } })
  })

  it('of a file has no id if it may not be read', async () => {
    env.answers.set('share_asset', () => ({ code: -1, err: 1028, msg: 'forbidden' }))
    const uploaded = await env.storage().uploadAsset(new Uint8Array(9), { name: 'b' })
    expect(uploaded).toMatchObject({ code: 0, data: { receipt_id: null } })
  })

  it('is not waited for without end, and not if it is refused', async () => {
    env.answers.set('10', () => pending)
    expect(await env.storage().receipts.get(10)).toMatchObject({ data: { err: RECEIPT_PENDING } })
    env.answers.set('11', () => ({ code: -1, err: 1000, msg: 'not found' }))
    const before = env.pauses.length
    expect(await env.storage().receipts.get(11)).toMatchObject({ data: { err: 1000 } })
    expect(env.pauses.length).toBe(before)
  })

  it.each([0, -1, 1.5, Number.NaN, '7' as never])('has no id %s', async (id) => {
    expect(await env.storage().receipts.get(id)).toMatchObject({ code: 1006 })
  })
})
