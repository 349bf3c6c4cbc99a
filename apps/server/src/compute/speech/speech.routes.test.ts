import { randomUUID } from 'node:crypto'
import { SPEECH_PART_MIN } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { transcribeNext } from './run.ts'
import {
  answers,
  closeSpeech,
  type Engine,
  mp3,
  refused,
  resetSpeech,
  setupSpeech,
  speechCalls,
  TWO,
  wav,
} from './speech.fixture.ts'

let env: TestEnv
let engine: Engine
beforeAll(async () => {
  ;({ env, engine } = await setupSpeech())
})
afterEach(() => resetSpeech({ env, engine }))
afterAll(() => closeSpeech({ env, engine }))

const { upload, uploadPart, queue, status, account, run, expire, countParts } = speechCalls(() => env)

describe('a transcription', () => {
  it('goes from the upload to a text with time codes, and takes one use', async () => {
    const person = await env.person()
    const task = await queue(person)
    expect(task).toMatchObject({ state: 'processing', kind: 'wav', seconds: 3, position: 1, has_audio: true })
    expect(await account(person)).toMatchObject({
      used: 1,
      remaining: 2,
      engine: 'available',
      engine_name: 'Test engine',
    })
    await run()
    const { data } = await env.call('speech.transcript', { id: task.id }, person)
    expect(data.task).toMatchObject({ state: 'complete', position: 0, estimate: null })
    expect(data.segments).toEqual([
      { start: 0, end: 1, text: 'Hello there.', original: null },
      { start: 1, end: 2.5, text: 'Second one.', original: null },
    ])
    expect(await account(person)).toMatchObject({ used: 1, remaining: 2 })
  })

  it('continues an upload where it was cut off, and repeated parts have no effect', async () => {
    const person = await env.person()
    const file = wav(20)
    const fields = { id: randomUUID(), name: 'a.wav', language: 'en', size: file.length }
    const part = file.subarray(0, SPEECH_PART_MIN)
    await uploadPart(person, part, { ...fields, offset: 0 })
    const again = await uploadPart(person, part, { ...fields, offset: 0 })
    expect(again.data.task).toMatchObject({ state: 'uploading', received: SPEECH_PART_MIN })
    const { data } = await env.call('speech.check', {}, person)
    expect(data.list.map(({ id }) => id)).toEqual([fields.id])
    const last = await uploadPart(person, file.subarray(SPEECH_PART_MIN), { ...fields, offset: SPEECH_PART_MIN })
    expect(last.data.task.state).toBe('processing')
    const repeated = await uploadPart(person, file.subarray(SPEECH_PART_MIN), { ...fields, offset: SPEECH_PART_MIN })
    expect(repeated.data.task).toMatchObject({ id: fields.id, state: 'processing' })
    expect(await account(person)).toMatchObject({ used: 1 })
  })

  it('begins with the last part once more if the server died before it checked the recording', async () => {
    const person = await env.person()
    const file = wav(3)
    const fields = { id: randomUUID(), name: 'a.wav', language: 'en', size: file.length, offset: 0 }
    await uploadPart(person, file, fields)
    await env.db.run(sql`update speech_tasks set state = 'uploading', day = null, queue_at = null`)
    await env.db.run(sql`update speech_uses set used = used - 1`)
    const { data } = await uploadPart(person, Buffer.alloc(0), { ...fields, offset: file.length })
    expect(data.task).toMatchObject({ state: 'processing', position: 1 })
    expect(await account(person)).toMatchObject({ used: 1 })
  })

  it('shows its position, and estimates from the speed of earlier ones', async () => {
    const [first, second] = [await env.person(), await env.person()]
    const one = await queue(first, wav(60))
    const two = await queue(second, wav(30))
    expect((await status(first, one.id)).position).toBe(1)
    const before = await status(second, two.id)
    expect(before.position).toBe(2)
    expect(before.estimate).toBe(90)
    await env.db.run(sql`update speech_tasks set state = 'complete', engine_seconds = 30 where id = ${one.id}`)
    expect(await status(second, two.id)).toMatchObject({ position: 1, estimate: 15 })
  })

  it('of an account waits for the first ones of all others', async () => {
    const [first, second] = [await env.person(), await env.person()]
    const [one, two, three] = [await queue(first, wav(60)), await queue(first, wav(60)), await queue(first, wav(60))]
    const other = await queue(second, wav(30))
    const positionOf = async (person: Person, { id }: { id: string }) => (await status(person, id)).position
    expect(await positionOf(second, other)).toBe(2)
    expect([await positionOf(first, one), await positionOf(first, two), await positionOf(first, three)]).toEqual([
      1, 3, 4,
    ])
    expect((await status(second, other.id)).estimate).toBe(90)
    await transcribeNext(env.context, new AbortController().signal)
    await transcribeNext(env.context, new AbortController().signal)
    expect((await status(second, other.id)).state).toBe('complete')
    expect(await positionOf(first, two)).toBe(1)
  })

  it('that is cancelled returns its use, deletes the recording and stops the engine', async () => {
    const person = await env.person()
    const queued = await queue(person)
    const { data } = await env.call('speech.cancel', { id: queued.id }, person)
    expect(data.task).toMatchObject({ state: 'cancelled', has_audio: false })
    expect(await account(person)).toMatchObject({ used: 0 })

    const task = await queue(person)
    const before = engine.aborted()
    engine.behave(async () => void (await env.call('speech.cancel', { id: task.id }, person)))
    await run()
    expect(engine.aborted()).toBe(before + 1)
    expect(await status(person, task.id)).toMatchObject({ state: 'cancelled' })
    await env.call('speech.cancel', { id: task.id }, person)
    expect(await account(person)).toMatchObject({ used: 0 })
    expect(await countParts()).toBe(0)
  })

  it('is taken up again after its server was killed', async () => {
    const person = await env.person()
    const task = await queue(person)
    await env.db.run(sql`
      update speech_tasks set state = 'transcribing', lease = ${randomUUID()}, lease_until = ${new Date(env.clock.now() + 30_000)}, attempts = 1`)
    await run()
    expect((await status(person, task.id)).state).toBe('transcribing')
    env.pass(31_000)
    await run()
    expect((await status(person, task.id)).state).toBe('complete')
    expect(await account(person)).toMatchObject({ used: 1 })
  })

  it('goes back to the queue when its server stops', async () => {
    const person = await env.person()
    const task = await queue(person)
    const stopping = new AbortController()
    engine.behave(() => stopping.abort(new Error('stopping')))
    await transcribeNext(env.context, stopping.signal)
    expect(await status(person, task.id)).toMatchObject({ state: 'processing', position: 1 })
    engine.behave(answers(TWO))
    await run()
    expect((await status(person, task.id)).state).toBe('complete')
  })

  it('is deleted with its account', async () => {
    const person = await env.person()
    await queue(person)
    await env.db.run(sql`delete from users where id = ${person.id}`)
    expect(await countParts()).toBe(0)
  })
})

describe('refused', () => {
  it('a fourth one of a day, but not of the next day', async () => {
    const person = await env.person()
    for (let i = 0; i < 3; i += 1) {
      await queue(person)
      await run()
    }
    expect(await upload(person, wav(1))).toMatchObject(refused('speechNoUses'))
    const { resets_at } = await account(person)
    env.pass(new Date(resets_at).getTime() - env.clock.now() + 60_000)
    expect(await account(person)).toMatchObject({ used: 0, remaining: 3 })
  })

  it.each([
    ['nothing', Buffer.alloc(0), 'speechNoFile'],
    ['a text', Buffer.from('hello hello hello'), 'speechType'],
    ['a WAV without sound', wav(0), 'speechUnreadable'],
    ['ten minutes and a second', wav(601), 'speechDuration'],
    ['an MP3 of ten minutes and a second', mp3(601.5), 'speechDuration'],
    [
      'a lonely MP3 header',
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(2000)]),
      'speechUnreadable',
    ],
  ] as const)('%s as a recording', async (_, file, key) => {
    const person = await env.person()
    if (file.length === 0) {
      const answer = await uploadPart(person, file, { id: randomUUID(), name: 'a', language: 'en', size: 1 })
      expect(answer).toMatchObject(refused('speechNoFile'))
    } else expect(await upload(person, file)).toMatchObject(key ? refused(key) : { code: 0 })
    if (key) expect((await env.call('speech.list', {}, person)).data.total).toBe(0)
    if (key) expect(await account(person)).toMatchObject({ used: 0 })
  })

  it.each([
    [{ size: 50 * 1024 * 1024 + 1 }, 'speechTooLarge'],
    [{ size: 0 }, 'speechNoFile'],
    [{ language: 'xx' }, 'speechNoLanguage'],
    [{ name: '' }, 'speechNoFile'],
    [{ offset: 10 }, 'speechUnknown'],
    [{ size: 3 }, 'invalidParams'],
  ] as const)('an upload with %o', async (fields, key) => {
    const file = wav(1)
    const answer = await uploadPart(await env.person(), file, {
      id: randomUUID(),
      name: 'a',
      language: 'en',
      size: file.length,
      ...fields,
    })
    expect(answer).toMatchObject(refused(key))
  })

  it('a body that is larger than a part, smaller, or JSON', async () => {
    const person = await env.person()
    const fields = { id: randomUUID(), name: 'a', language: 'en', size: 2_000_000 }
    expect(await uploadPart(person, Buffer.alloc(1_048_577), fields)).toMatchObject(refused('speechPart'))
    expect(await uploadPart(person, wav(1), fields)).toMatchObject(refused('speechPart'))
    expect(await uploadPart(person, '{}', fields, { 'content-type': 'application/json' })).toMatchObject(
      refused('speechNoFile'),
    )
  })

  it('a fourth unfinished one', async () => {
    const person = await env.person()
    const begin = () =>
      uploadPart(person, wav(20).subarray(0, SPEECH_PART_MIN), {
        id: randomUUID(),
        name: 'a',
        language: 'en',
        size: 80_044,
      })
    for (let i = 0; i < 3; i += 1) expect((await begin()).code).toBe(0)
    expect(await begin()).toMatchObject(refused('speechUnfinished'))
    env.pass(2 * 3600 * 1000)
    await expire()
    expect((await env.call('speech.check', {}, person)).data.list).toEqual([])
  })

  it('deleting the recording of an unfinished one', async () => {
    const person = await env.person()
    const { id } = await queue(person)
    expect(await env.call('speech.removeAudio', { id }, person)).toMatchObject(refused('speechNoText'))
    await run()
    const { data } = await env.call('speech.removeAudio', { id }, person)
    expect(data.task).toMatchObject({ state: 'complete', has_audio: false, audio_until: null })
  })

  it('uploads without an engine', async () => {
    const { context } = env
    const url = context.config.speech
    context.config.speech = { ...url, url: '' }
    try {
      expect(await upload(await env.person(), wav(1))).toMatchObject(refused('speechNoEngine'))
    } finally {
      context.config.speech = url
    }
  })

  it('callers without a session, and API keys', async () => {
    expect(await upload({ token: '' }, wav(1))).toMatchObject({ code: 401 })
    const key = await env.key(await env.person(), 'admin')
    expect(await upload({ token: key }, wav(1))).toMatchObject(refused('forbidden'))
  })

  it('tasks of others, as if there were none', async () => {
    const id = (await queue(await env.person())).id
    const other = await env.person()
    for (const name of ['status', 'cancel', 'transcript', 'audio', 'removeAudio'] as const)
      expect(await env.call(`speech.${name}`, { id }, other)).toMatchObject(refused('speechUnknown'))
    expect((await env.call('speech.remove', { id }, other)).code).toBe(0)
    expect(await env.call('speech.rename', { id, name: 'x' }, other)).toMatchObject(refused('speechUnknown'))
    expect(await env.call('speech.export', { id, format: 'json' }, other)).toMatchObject(refused('speechUnknown'))
    const changes = [{ index: 0, text: 'x' }]
    expect(await env.call('speech.edit', { id, version: 0, changes }, other)).toMatchObject(refused('speechUnknown'))
    expect((await upload(other, wav(1), { id })).data.task).toMatchObject({ id, seconds: 1 })
    await run()
  })
})
