/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { SPEECH_PART_MIN, type SpeechTask } from '@tidenet/contract'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, startEngine, TWO, wav } from '../../apps/server/src/compute/speech/speech.fixture.ts'
import { startNetwork } from './test-network.ts'
import { signUp, until, type WireClient } from './wire-client.ts'

let network: Network
let engine: Awaited<ReturnType<typeof startEngine>>
let person: WireClient
beforeAll(async () => {
  engine = await startEngine()
  network = await startNetwork({ nodes: 0, env: { TIDENET_SPEECH_URL: engine.config.url } })
  person = await signUp(network.url)
})
afterAll(async () => {
  await network?.stop()
  await engine?.close()
})

const LEASE_MS = 31_000
const file = wav(20)
/** Uploads the bytes from `start` to `end`. */
async function uploadPart(
  id: string,
  start: number,
  end: number,
  to = { url: network.url, token: person.token },
): Promise<SpeechTask> {
  const query = new URLSearchParams({
    id,
    name: 'talk.wav',
    language: 'en',
    size: String(file.length),
    offset: String(start),
  })
  const answer = await fetch(`${to.url}/whisperapi/v1/upload?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(file.subarray(start, end)),
  })
  return (await answer.json()).data.task
}
const stateOf = async (id: string) =>
  (await person.get<{ task: SpeechTask }>('/whisperapi/v1/task-status', { id })).data.task.state
const used = async () => (await person.get<{ used: number }>('/whisperapi/v1/account')).data.used

async function killServer() {
  network.server.process.kill('SIGKILL')
  await network.server.process.restart()
}

describe('after the server was killed', () => {
  it('an upload continues with the part that is missing', async () => {
    const id = randomUUID()
    await uploadPart(id, 0, SPEECH_PART_MIN)
    await killServer()
    expect(await uploadPart(id, 0, SPEECH_PART_MIN)).toMatchObject({ state: 'uploading', received: SPEECH_PART_MIN })
    await uploadPart(id, SPEECH_PART_MIN, file.length)
    await until(async () => (await stateOf(id)) === 'complete')
    expect(await used()).toBe(1)
  })

  it('a transcription is taken up again, and counts once', async () => {
    const before = engine.heard.length
    // It never answers.
    engine.behave(() => {})
    const id = randomUUID()
    await uploadPart(id, 0, file.length)
    await until(async () => engine.heard.length > before)
    await killServer()
    engine.behave(answers(TWO))
    expect(await stateOf(id)).toBe('transcribing')
    await network.moveClock(LEASE_MS)
    await until(async () => (await stateOf(id)) === 'complete')
    const { segments } = (await person.get<{ segments: object[] }>('/whisperapi/v1/transcript', { id })).data
    expect(segments).toHaveLength(2)
    expect(await used()).toBe(2)
  })
})

it('cancelling stops the engine, and the use is free again', async () => {
  engine.behave(() => {})
  const aborted = engine.aborted()
  const id = randomUUID()
  await uploadPart(id, 0, file.length)
  await until(async () => (await stateOf(id)) === 'transcribing')
  await person.post('/whisperapi/v1/task-cancel', { id })
  await until(async () => engine.aborted() > aborted)
  expect(await stateOf(id)).toBe('cancelled')
  expect(await used()).toBe(2)
})

it('of two servers, the one that is left finishes what the other one began', async () => {
  const two = await startNetwork({ nodes: 0, servers: 2, env: { TIDENET_SPEECH_URL: engine.config.url } })
  try {
    const customer = await signUp(two.url)
    const held: (() => void)[] = []
    engine.behave((heard, response) => void held.push(() => answers(TWO)(heard, response)))
    const id = randomUUID()
    await uploadPart(id, 0, file.length, { url: two.url, token: customer.token })
    await until(async () => held.length === 1)
    two.servers[0]?.process.kill('SIGKILL')
    engine.behave(answers(TWO))
    for (const answer of held) answer()
    await two.moveClock(LEASE_MS)
    const left = async <T>(path: string) => {
      const answer = await fetch(`${two.urls[1]}/whisperapi/v1/${path}`, {
        headers: { authorization: `Bearer ${customer.token}` },
      })
      return ((await answer.json()) as { data: T }).data
    }
    await until(async () => (await left<{ task: SpeechTask }>(`task-status?id=${id}`)).task.state === 'complete')
    expect((await left<{ used: number }>('account')).used).toBe(1)
  } finally {
    await two.stop()
  }
})
