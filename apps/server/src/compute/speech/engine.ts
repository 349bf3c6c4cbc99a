import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import {
  SPEECH_SEGMENT_MAX,
  SPEECH_SEGMENTS_MAX,
  SPEECH_TEXT_MAX,
  type SpeechKind,
  type SpeechLanguage,
} from '@tidenet/contract'
import { z } from 'zod'
import { harmlessText } from '../../storage/index.ts'
import type { SpeechConfig } from './config.ts'
import type { Segment } from './queue-repository.ts'

/** `unreachable`: try again later; `refused`: never with this recording; `failed`: perhaps because of this recording; `slow`: it gave no answer in time. */
export class EngineError extends Error {
  readonly kind: 'unreachable' | 'refused' | 'failed' | 'slow'

  constructor(kind: EngineError['kind'], message: string) {
    super(message)
    this.name = 'EngineError'
    this.kind = kind
  }
}

export interface Recording {
  language: SpeechLanguage
  kind: SpeechKind
  size: number
  seconds: number
  parts(): AsyncIterable<Buffer>
}

const ANSWER_MAX = 8 * 1024 * 1024
/** Models write in the script of their prompt. */
const TRADITIONAL = '以下是繁體中文的句子。'

/**
 * Transcribes a recording by `POST {url}/v1/audio/transcriptions`, the API of OpenAI. The answer is not trusted: it is bounded, and times are
 * brought into the recording.
 * @throws EngineError, or the signal's reason
 */
export async function transcribe(engine: SpeechConfig, recording: Recording, signal: AbortSignal): Promise<Segment[]> {
  const { status, body } = await post(engine, recording, signal)
  if (status !== 200) throw refusalOf(status, body)
  return segmentsOf(body, recording.seconds)
}

function refusalOf(status: number, body: string): EngineError {
  const message = `the engine answered ${status}: ${harmlessText(body.slice(0, 300))}`
  if ([400, 413, 415, 422].includes(status)) return new EngineError('refused', message)
  // Redirects, a wrong key or address, or too many requests: the operator or time can mend it.
  return new EngineError(status < 500 || status === 503 || status === 502 ? 'unreachable' : 'failed', message)
}

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

async function post(
  { url, key, model }: SpeechConfig,
  { language, kind, size, parts }: Recording,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const boundary = randomBytes(16).toString('hex')
  const fields: [string, string][] = [
    ['model', model],
    ['language', language === 'zh-Hant' ? 'zh' : language],
    ['response_format', 'verbose_json'],
    ['timestamp_granularities[]', 'segment'],
    ...(language === 'zh-Hant' ? [['prompt', TRADITIONAL] as [string, string]] : []),
  ]
  const head = Buffer.from(
    fields
      .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('') +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="recording.${kind}"\r\n` +
      `Content-Type: ${kind === 'mp3' ? 'audio/mpeg' : 'audio/wav'}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(`${url}/v1/audio/transcriptions`, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      // Some engines do not understand chunked requests.
      'content-length': head.length + size + tail.length,
      ...(key && { authorization: `Bearer ${key}` }),
    },
  })
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > ANSWER_MAX) request.destroy(new Error('the answer is too large'))
        else chunks.push(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
      response.on('error', reject)
      response.on('aborted', () => reject(new Error('the engine ended the answer early')))
    })
  })
  // An engine can answer before it has read everything.
  answered.catch(() => {})
  const send = async () => {
    const write = (bytes: Buffer) =>
      new Promise<void>((resolve, reject) => request.write(bytes, (error) => (error ? reject(error) : resolve())))
    await write(head)
    for await (const part of parts()) await write(part)
    request.end(tail)
  }
  try {
    const sent = send().then(() => answered)
    sent.catch(() => {})
    return await Promise.race([answered, sent])
  } catch (error) {
    request.destroy()
    if (signal.aborted) throw signal.reason
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new EngineError(NOT_CONNECTED.has(code) ? 'unreachable' : 'failed', `the engine: ${code || message}`)
  } finally {
    request.destroy()
  }
}

const answerSchema = z.object({
  text: z.string().max(SPEECH_TEXT_MAX).optional(),
  segments: z
    .array(z.object({ start: z.number(), end: z.number(), text: z.string().max(SPEECH_SEGMENT_MAX) }))
    .max(SPEECH_SEGMENTS_MAX)
    .optional(),
})

/** The segments of an answer, in order, within the recording. */
export function segmentsOf(body: string, seconds: number): Segment[] {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new EngineError('failed', 'the answer is not JSON')
  }
  const parsed = answerSchema.safeParse(json)
  if (!parsed.success)
    throw new EngineError('failed', `the answer is invalid: ${parsed.error.issues[0]?.path.join('.')}`)
  const { text, segments } = parsed.data
  if (segments === undefined && text === undefined) throw new EngineError('failed', 'the answer has no text')
  const given = segments?.length ? segments : [{ start: 0, end: seconds, text: text ?? '' }]
  const within = (time: number) => Math.round(Math.min(seconds, Math.max(0, time)) * 1000) / 1000
  const list = given
    .map(({ start, end, text }) => ({
      start: within(start),
      end: Math.max(within(start), within(end)),
      text: harmlessText(text).replaceAll(/\s*\n\s*/g, ' '),
    }))
    .filter(({ text }) => text !== '')
    .sort((one, other) => one.start - other.start)
  if (list.reduce((sum, { text }) => sum + text.length, 0) > SPEECH_TEXT_MAX)
    throw new EngineError('failed', 'the text is too long')
  return list
}
