import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TestEnv } from '../../test-env.fixture.ts'
import { transcribeNext, transcribeQueued } from './run.ts'
import {
  answers,
  closeSpeech,
  type Engine,
  mp3,
  resetSpeech,
  setupSpeech,
  speechCalls,
  startEngine,
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

const { upload, queue, status, account, run } = speechCalls(() => env)

describe('the engine', () => {
  it('sends the engine the recording, the language, the model and the key', async () => {
    const person = await env.person()
    const file = mp3(10)
    await upload(person, file, { language: 'zh-Hant', part: 65_536 })
    await run()
    const last = engine.heard.at(-1)
    expect(last?.file.equals(file)).toBe(true)
    expect(last?.fields).toMatchObject({ language: 'zh', model: 'whisper-1', response_format: 'verbose_json' })
    expect(last?.headers.authorization).toBe('Bearer engine-key')
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

  it('is unavailable for the portal and its users while it accepts no connections', async () => {
    const person = await env.person()
    const states = async () => {
      const { list, speech } = (await env.call('portal.services', {})).data
      return [(await account(person)).engine, speech, list.find(({ name }) => name === 'whisper')?.state]
    }
    expect(await states()).toEqual(['available', 'available', 'available'])
    const other = await startEngine()
    const { url } = env.context.config.speech
    env.context.config.speech.url = other.config.url
    await other.close()
    expect(await states()).toEqual(['unreachable', 'unreachable', 'unavailable'])
    env.context.config.speech.url = url
    expect(await states()).toEqual(['available', 'available', 'available'])
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

  it.each([
    ['zh-Hant', '以後我們說。'],
    ['zh', '以后我们说。'],
  ])('writes one Chinese, which becomes the one that was chosen: %s', async (language, text) => {
    const person = await env.person()
    engine.behave(answers({ text: '以后我们说。' }))
    const { task } = (await upload(person, wav(3), { language })).data
    await run()
    expect((await env.call('speech.transcript', { id: task.id }, person)).data.segments).toMatchObject([{ text }])
  })

  it.each([
    ['no segments', { text: 'Only text.' }],
    ['an empty list of segments', { text: 'Only text.', segments: [] }],
  ])('may answer with %s', async (_, answer) => {
    const person = await env.person()
    const { id } = await queue(person)
    engine.behave(answers(answer))
    await run()
    const { segments } = (await env.call('speech.transcript', { id }, person)).data
    expect(segments).toMatchObject([{ start: 0, end: 3, text: 'Only text.' }])
  })

  it('is not followed to another address', async () => {
    const person = await env.person()
    const { id } = await queue(person)
    const before = engine.heard.length
    engine.behave((_, response) => void response.writeHead(307, { location: `${engine.config.url}/private` }).end())
    await run()
    expect(engine.heard.length - before).toBe(1)
    expect(await status(person, id)).toMatchObject({ state: 'processing', waits_for_engine: true })
  })

  it('has one attempt if it does not answer, so that the next recording gets its turn', async () => {
    const [first, second] = [await env.person(), await env.person()]
    const [hanging, next] = [await queue(first), await queue(second)]
    engine.behave(() => {})
    await transcribeNext(env.context, new AbortController().signal, { base: 100, perSecond: 0 })
    expect(await status(first, hanging.id)).toMatchObject({ state: 'failed', failure: 'processing' })
    expect(await account(first)).toMatchObject({ used: 0 })
    engine.behave(answers(TWO))
    await run()
    expect((await status(second, next.id)).state).toBe('complete')
  })

  it('gets a recording that arrives while another one takes long, if it transcribes several at once', async () => {
    const [first, second] = [await env.person(), await env.person()]
    const { speech } = env.context.config
    env.context.config.speech = { ...speech, parallel: 2 }
    const held: ServerResponse[] = []
    engine.behave((_, response) => void held.push(response))
    const long = await queue(first)
    const stopping = new AbortController()
    const running = transcribeQueued(env.context, stopping.signal)
    try {
      await expect.poll(() => held.length).toBe(1)
      engine.behave(answers(TWO))
      const next = await queue(second)
      await expect.poll(async () => (await status(second, next.id)).state).toBe('complete')
      expect((await status(first, long.id)).state).toBe('transcribing')
    } finally {
      env.context.config.speech = speech
      stopping.abort(new Error('stopping'))
      await running
    }
  })
})
