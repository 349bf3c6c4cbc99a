import { AppError, type ErrorKey, route } from '@tidenet/contract'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { refusal, serve } from './serve.ts'

const spec = route({
  method: 'POST',
  path: '/call',
  auth: 'public',
  input: z.object({
    throws: z.string().optional(),
    name: z.string().max(3, 'nameTooLong {"max":3}').optional(),
  }),
  output: z.object({ shown: z.string() }),
  errors: ['folderUnknown'],
  summary: '',
})

function setup(authenticate: () => void = () => {}) {
  const logged: unknown[] = []
  const app = Fastify({
    logger: { level: 'error', stream: { write: (line: string) => logged.push(JSON.parse(line)) } },
  })
  serve({ app, authenticate }, 'duty.call', spec, ({ throws }) => {
    if (throws === 'a bug') throw new Error('secret detail')
    if (throws) throw new AppError(throws as 'folderUnknown')
    return { shown: 'yes', hidden: 'no' } as { shown: string }
  })
  const call = async (input: object | string, lang = 'en') => {
    const payload = typeof input === 'string' ? input : JSON.stringify(input)
    const headers = { lang, 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/call', payload, headers })
    return { status: answer.statusCode, ...answer.json() }
  }
  return { call, logged }
}

describe('a served operation', () => {
  it('returns only the fields of its output schema', async () => {
    expect(await setup().call({})).toEqual({ status: 200, code: 0, data: { shown: 'yes' } })
  })

  it('returns declared errors in the caller’s language', async () => {
    const { call, logged } = setup()
    expect(await call({ throws: 'folderUnknown' })).toMatchObject({
      code: -1,
      err: 10018,
      msg: expect.stringMatching('exist'),
    })
    expect((await call({ throws: 'folderUnknown' }, 'cn')).msg).toMatch(/文件夹/)
    expect(logged).toEqual([])
  })

  it.each<ErrorKey>(['unauthorized', 'sessionExpired'])(
    'may always answer that somebody is not signed in: %s',
    async (key) => {
      expect(await setup().call({ throws: key })).toMatchObject({ code: 401 })
    },
  )

  it.each<[ErrorKey, number]>([
    ['forbidden', 1028],
    ['invalidParams', 1001],
  ])('may always answer %s', async (key, err) => {
    expect(await setup().call({ throws: key })).toMatchObject({ code: -1, err })
  })

  it('may return errors of its fields and of authentication', async () => {
    expect(await setup().call({ name: 'long' })).toMatchObject({ code: -1, err: 1001 })
    const closed = setup(() => {
      throw new AppError('noNode')
    })
    expect(await closed.call({})).toMatchObject({ code: -1, err: 10008 })
  })

  it('returns an internal error for undeclared errors, with details in the log only', async () => {
    const { call, logged } = setup()
    for (const throws of ['noNode', 'a bug']) {
      const answer = await call({ throws })
      expect(answer).toMatchObject({ status: 200, code: -1, err: 1004 })
      expect(JSON.stringify(answer)).not.toContain('secret')
    }
    expect(logged).toHaveLength(2)
    expect(logged[0]).toMatchObject({ operation: 'duty.call', err: { key: 'noNode' } })
  })

  it('rejects bodies that are not objects, contain a NUL, or are nested too deeply', async () => {
    const deep = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    for (const payload of ['[1]', '"x"', '{"name":"a\\u0000"}', '{"other":{"deep":["\\u0000"]}}', deep])
      expect(await setup().call(payload)).toMatchObject({ code: -1, err: 1001 })
  })
})

describe('a temporary error', () => {
  it('says when to retry, in every form of the envelope', () => {
    const locked = new AppError('signInLocked', { seconds: 30 })
    expect(refusal(locked, 'en')).toMatchObject({ code: -1, err: 1020, data: { seconds: 30 } })
    expect(refusal(locked, 'en', true)).toMatchObject({ code: 401, success: false, data: { seconds: 30 } })
  })

  it('keeps its own data', () => {
    const own = new AppError('sharePassLocked', { seconds: 30 }).with({ seconds: 30, tries: 0 })
    expect(refusal(own, 'en')).toMatchObject({ code: -1, data: { seconds: 30, tries: 0 } })
  })

  it('has no retry data if there is nothing to wait for', () => {
    expect(refusal(new AppError('signInFailed'), 'en', true)).not.toHaveProperty('data')
    expect(refusal(new AppError('nameTooLong', { max: 3 }), 'en')).not.toHaveProperty('data')
  })
})
