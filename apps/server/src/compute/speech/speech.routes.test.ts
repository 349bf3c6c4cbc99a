import { randomUUID } from 'node:crypto'
import { errors } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import * as repository from './repository.ts'
import { transcribeNext } from './run.ts'
import { answers, mp3, speechCalls, startEngine, TWO, wav } from './speech.fixture.ts'

let env: TestEnv
let engine: Awaited<ReturnType<typeof startEngine>>
beforeAll(async () => {
  engine = await startEngine()
  env = await setup({ speech: engine.config })
  // Noon, so that no test but one goes into another day.
  const day = 24 * 3600 * 1000
  env.pass(day + day / 2 - (env.clock.now() % day))
})
afterEach(async () => {
  engine.behave(answers(TWO))
  await env.db.run(sql`delete from speech_tasks`)
})
afterAll(async () => {
  await env?.close()
  await engine?.close()
})

const { upload, uploadPart, queue, status, account, run } = speechCalls(() => env)
const refused = (key: keyof typeof errors) => ({ code: -1, err: errors[key].err })
const expire = () => deleteExpired(env.context, [repository])
const countParts = async () =>
  (await env.db.one<{ count: number }>(sql`select count(*) as count from speech_parts`)).count

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

  it('sends the engine the recording, the language, the model and the key', async () => {
    const person = await env.person()
    const file = mp3(4)
    await upload(person, file, { language: 'zh-Hant', part: 20_000 })
    await run()
    const last = engine.heard.at(-1)
    expect(last?.file.equals(file)).toBe(true)
    expect(last?.fields).toMatchObject({ language: 'zh', model: 'whisper-1', response_format: 'verbose_json' })
    expect(last?.headers.authorization).toBe('Bearer engine-key')
  })

  it('continues an upload where it was cut off, and repeated parts have no effect', async () => {
    const person = await env.person()
    const file = wav(5)
    const fields = { id: randomUUID(), name: 'a.wav', language: 'en', size: file.length }
    const part = file.subarray(0, 9000)
    await uploadPart(person, part, { ...fields, offset: 0 })
    const again = await uploadPart(person, part, { ...fields, offset: 0 })
    expect(again.data.task).toMatchObject({ state: 'uploading', received: 9000 })
    const { data } = await env.call('speech.check', {}, person)
    expect(data.list.map(({ id }) => id)).toEqual([fields.id])
    const last = await uploadPart(person, file.subarray(9000), { ...fields, offset: 9000 })
    expect(last.data.task.state).toBe('processing')
    const repeated = await uploadPart(person, file.subarray(9000), { ...fields, offset: 9000 })
    expect(repeated.data.task).toMatchObject({ id: fields.id, state: 'processing' })
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

  it('waits while the engine is unavailable, and returns its use after an hour', async () => {
    const person = await env.person()
    const task = await queue(person)
    engine.behave(answers({ error: 'starting' }, 503))
    await run()
    expect(await status(person, task.id)).toMatchObject({ state: 'processing', waits_for_engine: true, estimate: null })
    expect((await account(person)).engine).toBe('unreachable')
    engine.behave(answers(TWO))
    env.pass(60_000)
    await run()
    expect(await status(person, task.id)).toMatchObject({ state: 'complete', waits_for_engine: false })

    const other = await queue(person)
    engine.behave(answers({ error: 'starting' }, 503))
    await run()
    env.pass(61 * 60_000)
    await run()
    expect(await status(person, other.id)).toMatchObject({ state: 'failed', failure: 'engine' })
    expect(await account(person)).toMatchObject({ used: 1 })
  })

  it.each([
    ['is no JSON', () => answers('no')],
    ['has no text', () => answers({})],
    ['has too many segments', () => answers({ segments: Array(4000).fill({ start: 0, end: 1, text: 'a' }) })],
    ['has too long a text', () => answers({ text: 'x'.repeat(100_001) })],
    ['is too large', () => answers({ text: 'x', more: 'x'.repeat(9_000_000) })],
    ['is a failure', () => answers({}, 500)],
  ])('fails after three answers of the engine if it %s, and returns its use', async (_, behaviour) => {
    const person = await env.person()
    const task = await queue(person)
    engine.behave(behaviour())
    const before = engine.heard.length
    for (let i = 0; i < 5; i += 1) {
      await run()
      env.pass(20_000)
    }
    expect(engine.heard.length - before).toBe(3)
    expect(await status(person, task.id)).toMatchObject({ state: 'failed', failure: 'processing', has_audio: false })
    expect(await account(person)).toMatchObject({ used: 0 })
  })

  it('fails at once if the engine refuses the recording', async () => {
    const person = await env.person()
    const task = await queue(person)
    engine.behave(answers({ error: 'no audio' }, 400))
    await run()
    expect(await status(person, task.id)).toMatchObject({ state: 'failed', failure: 'refused' })
    expect(await account(person)).toMatchObject({ used: 0 })
  })

  it('brings the times of the engine into the recording', async () => {
    const person = await env.person()
    const task = await queue(person, wav(2))
    engine.behave(
      answers({
        segments: [
          { start: 5, end: 9, text: 'late' },
          { start: -1, end: 0.5, text: '\u0000first\n\nline\u202e' },
          { start: 1, end: 0, text: ' ' },
        ],
      }),
    )
    await run()
    const { segments } = (await env.call('speech.transcript', { id: task.id }, person)).data
    expect(segments.map(({ start, end, text }) => [start, end, text])).toEqual([
      [0, 0.5, 'first line'],
      [2, 2, 'late'],
    ])
  })

  it('keeps the recording for a day, and the text until it is deleted', async () => {
    const person = await env.person()
    const file = wav(3)
    const task = (await upload(person, file)).data.task
    await run()
    const audio = async () =>
      env.app.inject({
        url: `/whisperapi/v1/audio?id=${task.id}`,
        headers: { authorization: `Bearer ${person.token}` },
      })
    expect((await audio()).rawPayload.equals(file)).toBe(true)
    await env.db.run(sql`update speech_tasks set audio_until = ${new Date(env.clock.now() - 1)}`)
    await expire()
    expect((await audio()).json()).toMatchObject(refused('speechAudioGone'))
    expect(await countParts()).toBe(0)
    expect((await env.call('speech.transcript', { id: task.id }, person)).data.segments).toHaveLength(2)
    await env.call('speech.remove', { id: task.id }, person)
    expect(await env.call('speech.transcript', { id: task.id }, person)).toMatchObject(refused('speechUnknown'))
    expect(await account(person)).toMatchObject({ used: 1 })
  })

  it('is deleted with its account', async () => {
    const person = await env.person()
    await queue(person)
    await env.db.run(sql`delete from users where id = ${person.id}`)
    expect(await countParts()).toBe(0)
  })
})

describe('a transcript', () => {
  const transcribed = async () => {
    const person = await env.person()
    const { id } = (await upload(person, wav(3), { name: 'Übung <1>.wav' })).data.task
    await run()
    return { person, id }
  }

  it('can be edited; what the engine wrote stays', async () => {
    const { person, id } = await transcribed()
    const edit = (version: number, index: number, text: string | null) =>
      env.call('speech.edit', { id, version, changes: [{ index, text }] }, person)
    const { version, segments } = (await edit(0, 1, 'Number two.')).data
    expect(segments[1]).toEqual({ start: 1, end: 2.5, text: 'Number two.', original: 'Second one.' })
    expect((await edit(version, 1, null)).data.segments[1]).toMatchObject({ text: 'Second one.', original: null })
    expect(await edit(version, 0, 'stale')).toMatchObject(refused('speechChanged'))
    expect(await edit(version + 1, 2, 'beyond')).toMatchObject(refused('invalidParams'))
  })

  it.each([
    ['txt', 'Hello there.\nA --> <b>\n'],
    [
      'srt',
      '1\r\n00:00:00,000 --> 00:00:01,000\r\nHello there.\r\n\r\n2\r\n00:00:01,000 --> 00:00:02,500\r\nA -> <b>\r\n\r\n',
    ],
    [
      'vtt',
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello there.\n\n00:00:01.000 --> 00:00:02.500\nA -&gt; &lt;b&gt;\n\n',
    ],
  ] as const)('is exported as %s, with edits', async (format, text) => {
    const { person, id } = await transcribed()
    await env.call('speech.edit', { id, version: 0, changes: [{ index: 1, text: 'A --> <b>' }] }, person)
    const answer = await env.call('speech.export', { id, format }, person)
    expect(answer.data).toBe(text)
    expect(answer.headers['content-disposition']).toContain(`filename*=UTF-8''%C3%9Cbung%20%3C1%3E.${format}`)
  })

  it('is exported as JSON with the edits and the original', async () => {
    const { person, id } = await transcribed()
    const answer = (await env.call('speech.export', { id, format: 'json' }, person)) as unknown as object
    expect(answer).toMatchObject({ language: 'en', seconds: 3, segments: [{ start: 0, text: 'Hello there.' }, {}] })
  })

  it('is found by its words in any case, across segments, and only by its owner', async () => {
    const { person, id } = await transcribed()
    const find = async (q: string, as = person) => (await env.call('speech.search', { q }, as)).data
    expect((await find('SECOND')).list).toMatchObject([{ id, index: 1, start: 1, text: 'Second one.' }])
    expect((await find('there. second')).list).toMatchObject([{ id, index: 0 }])
    expect((await find('%')).total).toBe(0)
    expect((await find('second', await env.person())).total).toBe(0)
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

  it('a body that is larger than a part, or is JSON', async () => {
    const person = await env.person()
    const fields = { id: randomUUID(), name: 'a', language: 'en', size: 2_000_000 }
    expect(await uploadPart(person, Buffer.alloc(1_048_577), fields)).toMatchObject(refused('speechPart'))
    expect(await uploadPart(person, '{}', fields, { 'content-type': 'application/json' })).toMatchObject(
      refused('speechNoFile'),
    )
  })

  it('a fourth unfinished one', async () => {
    const person = await env.person()
    const begin = () =>
      uploadPart(person, wav(1).subarray(0, 100), { id: randomUUID(), name: 'a', language: 'en', size: 4044 })
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
    expect((await upload(other, wav(1), { id })).data.task).toMatchObject({ id, seconds: 1 })
    await run()
  })
})
