import { errors } from '@tidenet/contract'
import { S3Error } from '@tidenet/s3-wire'
import { expect, it } from 'vitest'
import type { Caller } from './access.ts'
import { createReadChecks } from './read-checks.ts'

type Answer = { code: number; msg?: string; data: object }
const reads: Answer = { code: 0, data: { permissions: ['readFile'] } }
const refused = (err: number): Answer => ({ code: -1, msg: '', data: { err } })

/** Reads ten pieces, one each second, while the portal answers so. */
async function read(answer: Answer | S3Error): Promise<number> {
  let at = 0
  const { whilePermitted } = createReadChecks(() => at)
  const caller = { transfers: { api: { call: async () => answer } } } as unknown as Caller
  const access = async () => {
    if (answer instanceof S3Error) throw answer
    return caller
  }
  async function* pieces() {
    for (let n = 0; n < 10; n++) {
      at += 1000
      yield new Uint8Array(1)
    }
  }
  let count = 0
  try {
    for await (const piece of whilePermitted(pieces(), access)) count += piece.length
  } catch (error) {
    expect(error).toMatchObject({ code: 'AccessDenied' })
  }
  return count
}

it.each([
  ['reads', reads],
  ['may do everything', { code: 0, data: { permissions: 'all' } }],
  ['asks a portal that does not answer', { code: -1, msg: 'no answer', data: {} }],
  ['asks a portal that fails', refused(errors.internal.err)],
  ['asks a portal whose door is closed', new S3Error('ServiceUnavailable')],
])('a download goes on while its key %s', async (_, answer) => {
  expect(await read(answer)).toBe(10)
})

it.each([
  ['may not read any more', { code: 0, data: { permissions: ['createFile'] } }],
  ['was deleted', { code: 401, msg: '', data: {} }],
  ['is used from another address', refused(errors.keyAddress.err)],
  ['has expired', refused(errors.keyExpired.err)],
  ['is not known any more', new S3Error('SignatureDoesNotMatch')],
])('a download ends when its key %s', async (_, answer) => {
  expect(await read(answer)).toBeLessThan(3)
})
