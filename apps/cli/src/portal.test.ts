import { errors } from '@tidenet/contract'
import type { Result } from '@tidenet/storage'
import { describe, expect, it, vi } from 'vitest'
import { type CommandError, EXIT } from './command-error.ts'
import { dataOf, FORBIDDEN, NOT_FOUND } from './portal.ts'

const URL = 'http://portal.example'

function failureOf(result: Result<unknown>): CommandError {
  try {
    dataOf(result, URL)
  } catch (error) {
    return error as CommandError
  }
  throw new Error('it did not fail')
}

const refused = (key: keyof typeof errors): Result<never> => ({ code: -1, msg: key, data: { err: errors[key].err } })

it('uses the error numbers of the contract', () => {
  for (const [key, number] of Object.entries(NOT_FOUND)) expect(errors).toHaveProperty([key, 'err'], number)
  expect(errors.forbidden.err).toBe(FORBIDDEN)
})

describe('a result of the portal', () => {
  it('that is one gives its data', () => expect(dataOf({ code: 0, msg: '', data: { a: 1 } })).toEqual({ a: 1 }))

  it.each([
    ['assetUnknown', EXIT.notFound],
    ['folderUnknown', EXIT.notFound],
    ['keyUnknown', EXIT.notFound],
    ['notFound', EXIT.notFound],
    ['quotaExceeded', EXIT.failed],
    ['nameForbidden', EXIT.failed],
    ['keyNameTaken', EXIT.failed],
  ] as const)('%s ends with %i and the number of the portal', (key, exit) => {
    const failed = failureOf(refused(key))
    expect(EXIT[failed.exit]).toBe(exit)
    expect(failed).toMatchObject({ code: errors[key].err, message: key })
  })

  it.each([
    ['no session', { code: 401, msg: 'expired.', data: {} }, EXIT.signIn],
    ['a cancelled upload', { code: -200, msg: '', data: { abort: true } }, EXIT.cancelled],
    ['a cancelled download', { code: 10028, msg: '', data: { abort: true } }, EXIT.cancelled],
    ['a failed transfer', { code: 10020, msg: 'all failed', data: {} }, EXIT.failed],
  ])('%s', (_, result, exit) => expect(EXIT[failureOf(result).exit]).toBe(exit))

  it('names the portal that does not answer, is not a portal, or fails', () => {
    for (const code of [10010, 404, 405, 500, 503])
      expect(failureOf({ code, msg: 'no', data: {} })).toMatchObject({
        exit: 'failed',
        message: expect.stringContaining(URL),
      })
  })

  it('says why a token from the environment is refused, and does not suggest signing in', () => {
    const again = failureOf({ code: 401, msg: 'expired', data: {} }).message
    vi.stubEnv('TIDENET_TOKEN', 'x')
    const token = failureOf({ code: 401, msg: 'expired', data: {} }).message
    vi.unstubAllEnvs()
    expect(again).toContain('tidenet login')
    expect(token).toContain('TIDENET_TOKEN')
    expect(token).toContain('expired')
    expect(token).not.toContain('tidenet login')
  })

  it('says what helps if the key of the environment may not do this: a sign-in alone does not', () => {
    vi.stubEnv('TIDENET_TOKEN', 'tnk_x')
    const { message } = failureOf(refused('forbidden'))
    vi.unstubAllEnvs()
    expect(message).toContain('forbidden')
    expect(message).toContain('TIDENET_TOKEN')
  })
})
