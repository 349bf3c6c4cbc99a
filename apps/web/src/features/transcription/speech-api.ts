import { queryOptions } from '@tanstack/react-query'
import type { contract, Input, Output, RouteOf, SpeechFormat, SpeechTask } from '@tidenet/contract'
import { paths } from '@tidenet/contract/paths.gen'
import { ApiError, api } from '../../lib/api.ts'
import { clearSession, currentToken, replaceToken } from '../../lib/session-store.ts'
import { lang, t } from '../../lib/texts.ts'
import { nameIn } from './file-name.ts'

type SpeechOperation = `speech.${keyof typeof contract.speech}`

/** These operations receive the session in another header than all others (spec 6). */
const header = { header: 'Authorization' } as const

/** Calls an operation of speech to text. @throws ApiError */
export const speechApi = <N extends SpeechOperation>(name: N, input: Input<RouteOf<N>>): Promise<Output<RouteOf<N>>> =>
  api(name, input, header)

export function speechQuery<N extends SpeechOperation>(name: N, input: Input<RouteOf<N>>) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ signal }) => api(name, input, { signal, ...header }),
  })
}

const address = (name: keyof typeof paths, fields: Record<string, string | number>): string =>
  `${paths[name].path}?${new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, String(value)]))}`

interface Envelope {
  code: number
  err?: number
  msg?: string
  data?: { task: SpeechTask }
}

/** @throws ApiError of a refusal; a rejected token ends the session */
function requireSuccess(answer: Envelope | undefined, status: number, token: string): Envelope {
  if (answer?.code === 0) return answer
  if (answer?.code === 401) {
    if (token === currentToken()) clearSession('expired')
    throw new ApiError('session', answer.msg || t.errors.session)
  }
  if (status === 429) throw new ApiError('busy', answer?.msg || t.errors.tooMany, answer?.err, answer?.data)
  if (!answer || status >= 500) throw new ApiError('server', answer?.msg || t.errors.server)
  throw new ApiError('refused', answer.msg || t.errors.server, answer.err, answer.data)
}

export interface Recording {
  /** Made for this upload; the same id continues it. */
  id: string
  file: Blob
  name: string
  language: string
}

/**
 * Uploads the part of a recording that starts at an offset. XMLHttpRequest, because `fetch` has no progress of uploads.
 * @param onSent receives the bytes of this part that were sent so far
 * @throws ApiError; AbortError when `signal` fires
 */
export function uploadPart(
  { id, file, name, language }: Recording,
  { offset, size }: { offset: number; size: number },
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<SpeechTask> {
  const token = currentToken()
  const request = new XMLHttpRequest()
  const done = new Promise<SpeechTask>((resolve, reject) => {
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onerror = () => reject(new ApiError('network', t.errors.network))
    request.ontimeout = request.onerror
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    request.onload = () => {
      const rotated = request.getResponseHeader('new-token')
      if (rotated && token === currentToken()) replaceToken(rotated)
      try {
        const { data } = requireSuccess(parse(request.responseText), request.status, token)
        resolve((data as { task: SpeechTask }).task)
      } catch (error) {
        reject(error)
      }
    }
  })
  signal.throwIfAborted()
  const abort = () => request.abort()
  signal.addEventListener('abort', abort)
  request.open('POST', address('speech.upload', { id, name, language, size: file.size, offset }))
  request.timeout = PART_TIMEOUT_MS
  request.setRequestHeader('lang', lang)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.setRequestHeader('Authorization', `Bearer ${token}`)
  request.send(file.slice(offset, offset + size))
  return done.finally(() => signal.removeEventListener('abort', abort))
}

/** The server waits 30 seconds for a part, and checks the recording after the last one. */
const PART_TIMEOUT_MS = 60_000

function parse(text: string): Envelope | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? (answer as Envelope) : undefined
  } catch {
    return undefined
  }
}

export interface Download {
  /** Without folders, as the server names it. */
  name: string
  blob: Blob
}

/** Downloads the recording of a task. @throws ApiError */
export const downloadAudio = (id: string): Promise<Download> => download(address('speech.audio', { id }))

/** Downloads a transcript. @throws ApiError */
export const downloadTranscript = (id: string, format: SpeechFormat): Promise<Download> =>
  download(address('speech.export', { id, format }))

async function download(url: string): Promise<Download> {
  const token = currentToken()
  const response = await fetch(url, { headers: { lang, Authorization: `Bearer ${token}` } }).catch(() => {
    throw new ApiError('network', t.errors.network)
  })
  const disposition = response.headers.get('content-disposition')
  const blob = await response.blob().catch(() => {
    throw new ApiError('network', t.errors.network)
  })
  // Refusals come in the usual envelope; only files have a name.
  if (!response.ok || disposition === null) requireSuccess(parse(await blob.text()), response.status, token)
  return { name: nameIn(disposition ?? ''), blob }
}
