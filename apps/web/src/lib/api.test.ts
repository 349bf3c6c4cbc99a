import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiError, api } from './api.ts'
import { loadTexts, t } from './texts.ts'

beforeAll(loadTexts)
afterEach(() => vi.unstubAllGlobals())

/** The error of a call that the server answers like this. */
async function failure(status: number, body: unknown, token = ''): Promise<ApiError> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  vi.stubGlobal('fetch', async () => new Response(text, { status }))
  const error = await api('accounts.vipInfo', {}, { token }).catch((thrown: unknown) => thrown)
  return error instanceof ApiError ? error : expect.fail('the call did not fail with an ApiError')
}

describe('an HTTP error with an envelope', () => {
  it.each([400, 413, 414, 415])('shows the message of the server: %i', async (status) => {
    const error = await failure(status, { code: -1, err: 1001, msg: '请求体最大 7 字节。' })
    expect([error.kind, error.message, error.err]).toEqual(['refused', '请求体最大 7 字节。', 1001])
  })

  it('reports the seconds to wait after too many calls', async () => {
    const error = await failure(429, { code: -1, err: 1020, msg: '请在 7 秒后重试。', data: { seconds: 7 } })
    expect([error.kind, error.message, error.seconds]).toEqual(['busy', '请在 7 秒后重试。', 7])
  })
})

describe('an error of an operation', () => {
  it('reports the seconds to wait, also for signing in', async () => {
    const locked = await failure(200, {
      code: 401,
      msg: 'Try again in 30 seconds.',
      success: false,
      data: { seconds: 30 },
    })
    expect([locked.kind, locked.seconds]).toEqual(['refused', 30])
    expect((await failure(200, { code: -1, err: 1013, msg: 'wrong' })).seconds).toBe(0)
  })

  it('does not end the session when the call had its own token', async () => {
    expect((await failure(200, { code: 401, msg: 'expired', success: false }, 'a.b.c')).kind).toBe('session')
  })
})

describe('a response that is not from the API', () => {
  it.each([400, 413, 500, 502])('is a server error: a proxy’s page with %i', async (status) => {
    const error = await failure(status, '<h1>no</h1>')
    expect([error.kind, error.message]).toEqual(['server', t.errors.server])
  })

  it('is a busy error with 429', async () => {
    const error = await failure(429, '<h1>slow down</h1>')
    expect([error.kind, error.message, error.seconds]).toEqual(['busy', t.errors.tooMany, 0])
  })

  it.each([{ seconds: 'soon' }, { seconds: -1 }, { seconds: null }, 'x', null])(
    'has no wait time if invalid: %j',
    async (data) => {
      expect((await failure(429, { code: -1, err: 1020, msg: 'wait', data })).seconds).toBe(0)
    },
  )
})
