import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { TestEnv } from '../../test-env.fixture.ts'
import {
  answers,
  closeSpeech,
  type Engine,
  refused,
  resetSpeech,
  setupSpeech,
  speechCalls,
  wav,
} from './speech.fixture.ts'

let env: TestEnv
let engine: Engine
beforeAll(async () => {
  ;({ env, engine } = await setupSpeech())
})
afterEach(() => resetSpeech({ env, engine }))
afterAll(() => closeSpeech({ env, engine }))

const { upload, account, run, expire, countParts } = speechCalls(() => env)

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
    ['txt', 'Hello there.\nA ---> <b>\n'],
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
    await env.call('speech.edit', { id, version: 0, changes: [{ index: 1, text: 'A ---> <b>' }] }, person)
    const answer = await env.call('speech.export', { id, format }, person)
    expect(answer.data).toBe(text)
    expect(answer.headers['content-disposition']).toContain(`filename*=UTF-8''%C3%9Cbung%20%3C1%3E.${format}`)
  })

  it('has at most 100,000 characters, however it is edited', async () => {
    const person = await env.person()
    engine.behave(answers({ segments: Array.from({ length: 30 }, (_, at) => ({ start: at, end: at, text: 'a' })) }))
    const { id } = (await upload(person, wav(40))).data.task
    await run()
    const changes = Array.from({ length: 30 }, (_, index) => ({ index, text: 'x'.repeat(index < 25 ? 4000 : 1) }))
    const edit = (count: number) =>
      env.call('speech.edit', { id, version: 0, changes: changes.slice(0, count) }, person)
    expect(await edit(30)).toMatchObject(refused('speechLong'))
    expect((await edit(24)).code).toBe(0)
  })

  it('in traditional Chinese stays so when an edit is written in simplified characters', async () => {
    const person = await env.person()
    engine.behave(answers({ text: '範先生說' }))
    const { id } = (await upload(person, wav(3), { language: 'zh-Hant' })).data.task
    await run()
    const edit = async (version: number, text: string) =>
      (await env.call('speech.edit', { id, version, changes: [{ index: 0, text }] }, person)).data.segments[0]?.text
    expect(await edit(0, '我们说')).toBe('我們說')
    // Corrections of single characters are not converted back.
    expect(await edit(1, '范先生說')).toBe('范先生說')
  })

  it('is exported as JSON with the edits and the original', async () => {
    const { person, id } = await transcribed()
    const answer = (await env.call('speech.export', { id, format: 'json' }, person)) as unknown as object
    expect(answer).toMatchObject({ language: 'en', seconds: 3, segments: [{ start: 0, text: 'Hello there.' }, {}] })
  })

  it('is found by its words in any case, across segments, and only by its owner', async () => {
    const { person, id } = await transcribed()
    const changes = [{ index: 1, text: 'Second one: ÜBUNG.' }]
    await env.call('speech.edit', { id, version: 0, changes }, person)
    const find = async (q: string, as = person) => (await env.call('speech.search', { q }, as)).data
    expect((await find('SECOND')).list).toMatchObject([{ id, index: 1, start: 1, text: 'Second one: ÜBUNG.' }])
    expect((await find('übung')).list).toMatchObject([{ index: 1 }])
    expect((await find('there. second')).list).toMatchObject([{ id, index: 0 }])
    expect((await find('%')).total).toBe(0)
    expect((await find('second', await env.person())).total).toBe(0)
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
})
