import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type contract, errors, type Output, SPEECH_PART, type SpeechTask } from '@tidenet/contract'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type Answer, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { NO_SPEECH, type SpeechConfig } from './config.ts'
import * as repository from './repository.ts'
import { transcribeNext } from './run.ts'

/** For tests: recordings, an engine, and accounts that use it. */

/** A silent 8-bit WAV, so that minutes need few bytes. */
export function wav(seconds: number, rate = 4000): Buffer {
  const data = Math.round(seconds * rate)
  const bytes = Buffer.alloc(44 + data, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + data, 4)
  bytes.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
  ] as const)
    bytes.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    bytes.writeUInt16LE(value, at)
  bytes.write('data', 36)
  bytes.writeUInt32LE(data, 40)
  return bytes
}

/** Silent frames of MPEG-1 layer III: 44.1 kHz, 1152 samples each. @param rate 0x90: 128 kbit/s; 0xe0: 320 kbit/s */
export function mp3(seconds: number, rate = 0x90): Buffer {
  const frame = Buffer.alloc(rate === 0x90 ? 417 : 1044)
  frame.set([0xff, 0xfb, rate, 0x00])
  return Buffer.concat(Array.from({ length: Math.round((seconds * 44_100) / 1152) }, () => frame))
}

export interface Heard {
  fields: Record<string, string>
  file: Buffer
  headers: IncomingMessage['headers']
}

type Behaviour = (heard: Heard, response: ServerResponse) => void | Promise<void>

/** What an engine answers for two sentences. */
export const TWO = {
  text: 'Hello there. Second one.',
  segments: [
    { start: 0, end: 1, text: ' Hello there.' },
    { start: 1, end: 2.5, text: ' Second one.' },
  ],
}
export const answers =
  (body: unknown, status = 200): Behaviour =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** An engine with the transcription API of OpenAI. */
export async function startEngine() {
  const heard: Heard[] = []
  let behaviour: Behaviour = answers(TWO)
  let aborted = 0
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) aborted += 1
    })
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const form = await new Response(Buffer.concat(chunks), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const file = form.get('file') as File
    const fields = Object.fromEntries(
      [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    )
    const one = { fields, file: Buffer.from(await file.arrayBuffer()), headers: request.headers }
    heard.push(one)
    if (request.url === '/v1/audio/transcriptions') await behaviour(one, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const config: SpeechConfig = { ...NO_SPEECH, url: `http://127.0.0.1:${port}`, key: 'engine-key', name: 'Test engine' }
  return {
    config,
    heard,
    aborted: () => aborted,
    behave(next: Behaviour) {
      behaviour = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export type Engine = Awaited<ReturnType<typeof startEngine>>

/** An environment with an engine. It is noon there, so that no test goes into another day by chance. */
export async function setupSpeech(config: Partial<SpeechConfig> = {}) {
  const engine = await startEngine()
  const env = await setup({ speech: { ...engine.config, ...config } })
  const day = 24 * 3600 * 1000
  env.pass(day + day / 2 - (env.clock.now() % day))
  return { engine, env }
}

/** After each test: deletes its tasks; all are at one network address. */
export async function resetSpeech({ env, engine }: { env: TestEnv; engine: Engine }): Promise<void> {
  engine.behave(answers(TWO))
  await env.db.run(sql`delete from speech_tasks`)
  await env.db.run(sql`delete from attempts where kind = 'speech uploads'`)
}

/** Both are missing if `setupSpeech` has failed. */
export async function closeSpeech({
  env,
  engine,
}: {
  env: TestEnv | undefined
  engine: Engine | undefined
}): Promise<void> {
  await env?.close()
  await engine?.close()
}

export const refused = (key: keyof typeof errors) => ({ code: -1, err: errors[key].err })

type Uploaded = Answer<Output<typeof contract.speech.upload>>

export function speechCalls(env: () => TestEnv) {
  const uploadPart = async (
    { token, ip }: { token?: string; ip?: string },
    part: Buffer | string,
    fields: Record<string, string | number>,
    headers: Record<string, string> = {},
  ): Promise<Uploaded> => {
    const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
    const answer = await env().app.inject({
      method: 'POST',
      url: `/whisperapi/v1/upload?${query}`,
      payload: part,
      ...(ip && { remoteAddress: ip }),
      headers: {
        'content-type': 'application/octet-stream',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    })
    return { ...answer.json(), status: answer.statusCode, headers: answer.headers }
  }
  /** Uploads a recording in parts. @returns the answer to the last part, or the first refusal */
  const upload = async (
    as: { token: string; ip?: string },
    file: Buffer,
    { id = randomUUID() as string, name = 'talk.wav', language = 'en', part = SPEECH_PART } = {},
  ): Promise<Uploaded> => {
    let offset = 0
    for (;;) {
      const answer = await uploadPart(as, file.subarray(offset, offset + part), {
        id,
        name,
        language,
        size: file.length,
        offset,
      })
      if (answer.code !== 0 || answer.data.task.state !== 'uploading') return answer
      offset = answer.data.task.received
    }
  }
  const queue = async (person: Person, file = wav(3)): Promise<SpeechTask> => (await upload(person, file)).data.task
  return {
    uploadPart,
    upload,
    queue,
    status: async (person: Person, id: string) => (await env().call('speech.status', { id }, person)).data.task,
    account: async (person: Person) => (await env().call('speech.account', {}, person)).data,
    expire: () => deleteExpired(env().context, [repository]),
    countParts: async () =>
      (await env().db.one<{ count: number }>(sql`select count(*) as count from speech_parts`)).count,
    /** Transcribes what is due, one after the other. */
    async run(signal = new AbortController().signal) {
      while (await transcribeNext(env().context, signal));
    },
  }
}
