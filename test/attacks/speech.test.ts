import { randomUUID } from 'node:crypto'
import { errors, SPEECH_PART_MIN, SPEECH_UPLOADS_PER_NETWORK } from '@tidenet/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transcribeNext } from '../../apps/server/src/compute/speech/run.ts'
import { answers, speechCalls, startEngine, TWO, wav } from '../../apps/server/src/compute/speech/speech.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let engine: Awaited<ReturnType<typeof startEngine>>
beforeAll(async () => {
  engine = await startEngine()
  env = await setup({ speech: { ...engine.config, parallel: 3 } })
})
afterAll(async () => {
  await env?.close()
  await engine?.close()
})

const { upload, uploadPart, account, queue, status } = speechCalls(() => env)
const HUNDRED = Array.from({ length: 100 }, (_, index) => index)
const signal = new AbortController().signal

it('a hundred uploads at once start three transcriptions, and a hundred runs send each to the engine once', async () => {
  const person = await env.person()
  const answers = await Promise.all(HUNDRED.map(() => upload(person, wav(1))))
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
  expect(await account(person)).toMatchObject({ used: 3, remaining: 0 })
  const before = engine.heard.length
  while ((await Promise.all(HUNDRED.map(() => transcribeNext(env.context, signal)))).some(Boolean));
  expect(engine.heard.length - before).toBe(3)
  expect((await env.call('speech.list', {}, person)).data.list.map(({ state }) => state)).toEqual(
    Array(3).fill('complete'),
  )
})

it('three uploads that end at once, with one use left, start one transcription', async () => {
  const person = await env.person()
  for (const _ of [1, 2]) {
    await queue(person)
    await transcribeNext(env.context, signal)
  }
  const file = wav(20)
  const uploads = [1, 2, 3].map(() => ({ id: randomUUID(), name: 'a', language: 'en', size: file.length }))
  for (const fields of uploads) await uploadPart(person, file.subarray(0, SPEECH_PART_MIN), fields)
  const ended = await Promise.all(
    uploads.map((fields) => uploadPart(person, file.subarray(SPEECH_PART_MIN), { ...fields, offset: SPEECH_PART_MIN })),
  )
  expect(ended.map(({ err }) => err).sort()).toEqual([errors.speechNoUses.err, errors.speechNoUses.err, undefined])
  expect(await account(person)).toMatchObject({ used: 3 })
})

it('the same part a hundred times at once is stored once, and takes one use', async () => {
  const person = await env.person()
  const file = wav(1)
  const fields = { id: randomUUID(), name: 'a', language: 'en', size: file.length, offset: 0 }
  const answers = await Promise.all(HUNDRED.map(() => uploadPart(person, file, fields)))
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0]))
  expect(await account(person)).toMatchObject({ used: 1 })
})

it('cancelling a hundred times at once, while it is transcribed, returns one use', async () => {
  const person = await env.person()
  await env.db.run(sql`delete from speech_tasks`)
  const [task, other] = [await queue(person), await queue(person)]
  engine.behave(async () => {
    await Promise.all(HUNDRED.map(() => env.call('speech.cancel', { id: task.id }, person)))
  })
  await transcribeNext(env.context, signal)
  expect(await status(person, task.id)).toMatchObject({ state: 'cancelled' })
  expect(await account(person)).toMatchObject({ used: 1 })
  await Promise.all(HUNDRED.map(() => env.call('speech.remove', { id: other.id }, person)))
  expect(await account(person)).toMatchObject({ used: 0 })
})

it('every use that is taken has a text, or a task in the queue, however cancelling and finishing meet', async () => {
  engine.behave(answers(TWO))
  const people = await Promise.all([1, 2, 3].map(() => env.person()))
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(
      people.map(async (person) => {
        const answer = await upload(person, wav(1))
        if (answer.code !== 0) return
        const { id } = answer.data.task
        const steps = [
          () => transcribeNext(env.context, signal),
          () => env.call('speech.cancel', { id }, person),
          () => transcribeNext(env.context, signal),
          () => env.call('speech.cancel', { id }, person),
        ]
        await Promise.all(steps.map((step) => step()))
      }),
    )
    for (const person of people) {
      const { used } = await account(person)
      const held = await env.db.one<{ count: number }>(
        sql`select count(*) as count from speech_tasks where user_id = ${person.id} and day is not null`,
      )
      expect(used).toBe(held.count)
    }
  }
})

it('uploading and cancelling cannot be repeated without end', async () => {
  const person = await env.person()
  let answer = await upload(person, wav(1))
  for (let i = 0; i < 100 && answer.code === 0; i += 1) {
    await env.call('speech.cancel', { id: answer.data.task.id }, { ...person, ip: '10.1.1.1' })
    answer = await upload(person, wav(1))
  }
  expect(answer.err).toBe(errors.tooManyRequests.err)
})

it('accounts of one network cannot fill the queue', async () => {
  const attack = { ip: '203.0.113.9' }
  let answer = await upload({ ...(await env.person()), ...attack }, wav(1))
  for (let begun = 1; begun <= SPEECH_UPLOADS_PER_NETWORK; begun += 1) {
    expect(answer.code).toBe(0)
    answer = await upload({ ...(await env.person()), ...attack }, wav(1))
  }
  expect(answer.err).toBe(errors.tooManyRequests.err)
  expect((await upload({ ...(await env.person()), ip: '203.0.113.10' }, wav(1))).code).toBe(0)
})
