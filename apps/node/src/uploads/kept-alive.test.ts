import { createLogger } from '@tidenet/daemon'
import { expect, it } from 'vitest'
import { refuseBlocked } from '../refusal.ts'
import { keptAlive } from './kept-alive.ts'

const how = { everyMs: 1, lang: 'en' as const, log: createLogger('test', 'silent') }
async function textOf(answer: (after: Promise<void>) => Promise<object>): Promise<string> {
  let settle = () => {}
  const text = keptAlive(answer(new Promise<void>((resolve) => (settle = resolve))), how)
  let all = ''
  for await (const piece of text) {
    all += piece
    if (all.length === 3) settle()
  }
  return all
}

it('an answer that takes long is kept alive by blanks, which JSON may begin with', async () => {
  const text = await textOf((after) => after.then(() => ({ code: 0, cid: 'c' })))
  expect(text.startsWith('   ')).toBe(true)
  expect(JSON.parse(text)).toEqual({ code: 0, cid: 'c' })
})

it('an answer that fails after its first blank says so in its text', async () => {
  const fails = (error: Error) => textOf((after) => after.then(() => Promise.reject(error)))
  expect(JSON.parse(await fails(refuseBlocked()))).toMatchObject({ code: -1, err: refuseBlocked().err })
  expect(JSON.parse(await fails(new Error('a defect')))).toMatchObject({ code: -1, err: -1 })
})
