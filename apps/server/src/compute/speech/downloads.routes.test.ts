import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { closeSpeech, type Engine, setupSpeech, speechCalls, wav } from './speech.fixture.ts'

let env: TestEnv
let engine: Engine
let address: string
beforeAll(async () => {
  ;({ env, engine } = await setupSpeech())
  address = await env.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => closeSpeech({ env, engine }))

const { queue, run } = speechCalls(() => env)

/** Begins a download and does not read it. */
async function download(person: Person, id: string): Promise<IncomingMessage> {
  const request = get(`${address}/whisperapi/v1/audio?id=${id}`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}
const isFile = ({ headers }: IncomingMessage) => headers['content-disposition'] !== undefined

it('an account has four downloads at once, so that unread ones do not fill the memory', async () => {
  const [person, other] = [await env.person(), await env.person()]
  // More than the buffers of a connection.
  const file = wav(300, 80_000)
  const [task, another] = [await queue(person, file), await queue(other, wav(3))]
  await run()
  const downloads = await Promise.all([1, 2, 3, 4].map(() => download(person, task.id)))
  expect(downloads.every(isFile)).toBe(true)
  expect(isFile(await download(other, another.id))).toBe(true)
  const refused = await download(person, task.id)
  const chunks = await refused.toArray()
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ code: -1, err: errors.tooManyRequests.err })
  for (const each of downloads) each.destroy()
  await expect.poll(async () => isFile(await download(person, task.id))).toBe(true)
})
