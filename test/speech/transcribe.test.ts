import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { engineOf } from '../../apps/server/src/compute/speech/engine-of.ts'
import { transcribeNext } from '../../apps/server/src/compute/speech/run.ts'
import { speechCalls, wav } from '../../apps/server/src/compute/speech/speech.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** English speech through the product and a real engine, which `npm run speech` installs on its first run. */

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Kept between runs: the engine is large. */
const data = process.env.TIDENET_DATA ?? join(root, '.cache', 'speech-test')
const INSTALL_MS = 15 * 60_000

const SENTENCES = [
  'The tide gauge at the pier was replaced in March, and the new one writes down a height every six minutes.',
  'Last winter we lost three weeks of measurements because a single disk failed.',
  'The readings are now stored in five places, and anyone can check that they have not been changed.',
]

let env: TestEnv
let engine: ChildProcess
let sounds: string
beforeAll(async () => {
  sounds = mkdtempSync(join(tmpdir(), 'tidenet-speech-'))
  engine = await startEngine()
  env = await setup({ environment: 'development', data })
}, INSTALL_MS)
afterAll(async () => {
  await env?.close()
  await stop(engine)
  rmSync(sounds, { recursive: true, force: true })
})

const { upload, status, account } = speechCalls(() => env)
const signal = new AbortController().signal

async function startEngine(): Promise<ChildProcess> {
  const started = spawn(process.execPath, [join(root, 'tools/speech/main.mjs')], {
    env: { ...process.env, TIDENET_DATA: data, TIDENET_SPEECH_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: started.stdout as NodeJS.ReadableStream }))
    if (line.startsWith('The speech engine is ready')) return started
  throw new Error('the engine did not start')
}

async function stop(program: ChildProcess | undefined) {
  if (!program || program.exitCode !== null) return
  program.kill('SIGTERM')
  await once(program, 'exit')
}

/** Speaks a text with a synthesizer. */
function speak(text: string): Buffer {
  const file = join(sounds, 'speech.wav')
  const { status: code } = spawnSync('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', file, text])
  if (code !== 0) throw new Error('espeak-ng failed')
  return readFileSync(file)
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, '')
    .split(' ')
    .filter(Boolean)

/** The share of words that are heard in the same order: 1 minus the word error rate. */
function accuracy(said: string, heard: string): number {
  const [one, other] = [wordsOf(said), wordsOf(heard)]
  let row = other.map((_, index) => index + 1)
  one.forEach((word, i) => {
    const next: number[] = []
    other.forEach((candidate, j) => {
      const diagonal = j === 0 ? i : (row[j - 1] as number)
      const left = j === 0 ? i + 1 : (next[j - 1] as number)
      next.push(word === candidate ? diagonal : 1 + Math.min(diagonal, left, row[j] as number))
    })
    row = next
  })
  return 1 - (row.at(-1) ?? one.length) / one.length
}

it('a server in development finds the engine', async () => {
  const person = await env.person()
  expect(engineOf(env.context)?.name).not.toBe('')
  expect(await account(person)).toMatchObject({ engine: 'available' })
})

it('English speech becomes the same words, in order, with time codes within the recording', async () => {
  const person = await env.person()
  const text = SENTENCES.join(' ')
  const { task } = (await upload(person, speak(text), { name: 'gauge.wav' })).data
  await transcribeNext(env.context, signal)
  const { data: transcript } = await env.call('speech.transcript', { id: task.id }, person)
  const { segments } = transcript
  const heard = segments.map((segment) => segment.text).join(' ')
  expect(accuracy(text, heard), heard).toBeGreaterThan(0.85)
  let last = 0
  for (const { start, end } of segments) {
    expect(start).toBeGreaterThanOrEqual(last)
    expect(end).toBeGreaterThanOrEqual(start)
    expect(end).toBeLessThanOrEqual(task.seconds as number)
    last = start
  }
  const found = (await env.call('speech.search', { q: 'stored in five places' }, person)).data.list
  expect(found.map(({ id }) => id)).toContain(task.id)
}, 300_000)

it('an MP3 whose bit rate changes becomes its words', async () => {
  const person = await env.person()
  const file = readFileSync(join(import.meta.dirname, 'tide-gauge.mp3'))
  const { task } = (await upload(person, file, { name: 'gauge.mp3' })).data
  expect(task).toMatchObject({ kind: 'mp3' })
  await transcribeNext(env.context, signal)
  const { segments } = (await env.call('speech.transcript', { id: task.id }, person)).data
  const heard = segments.map(({ text }) => text).join(' ')
  expect(accuracy(SENTENCES[1] as string, heard), heard).toBeGreaterThan(0.75)
}, 300_000)

it('silence becomes no text', async () => {
  const person = await env.person()
  const { task } = (await upload(person, wav(12))).data
  await transcribeNext(env.context, signal)
  expect((await env.call('speech.transcript', { id: task.id }, person)).data).toMatchObject({
    task: { state: 'complete' },
    segments: [],
  })
}, 300_000)

it('a transcription continues after its engine was killed', async () => {
  const person = await env.person()
  const { task } = (await upload(person, speak(SENTENCES.join(' ').repeat(3)))).data
  const running = transcribeNext(env.context, signal)
  while ((await status(person, task.id)).state !== 'transcribing');
  const { pid } = JSON.parse(readFileSync(join(data, 'speech', 'engine.json'), 'utf8'))
  process.kill(pid, 'SIGKILL')
  await running
  if (engine.exitCode === null) await once(engine, 'exit')
  expect((await status(person, task.id)).state).toBe('processing')
  expect(existsSync(join(data, 'speech', 'engine.json'))).toBe(false)
  engine = await startEngine()
  env.pass(60_000)
  await transcribeNext(env.context, signal)
  expect((await status(person, task.id)).state).toBe('complete')
  expect(await account(person)).toMatchObject({ used: 1 })
}, 400_000)
