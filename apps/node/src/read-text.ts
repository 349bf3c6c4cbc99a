import type { IncomingMessage } from 'node:http'
import { transferTimeout } from '@tidenet/contract'
import { consume } from './consume.ts'
import { Refusal } from './refusal.ts'
import { texts } from './texts.ts'

/** Called once, with the beginning of a body: `bytes` of it, or all if it is shorter. It may throw, before more is kept in memory. */
export interface Beginning {
  bytes: number
  check(text: string): Promise<unknown>
}

/** The body of a request as text. @throws Refusal 408, 413, and what `beginning` throws */
export async function readText(request: IncomingMessage, most: number, beginning?: Beginning): Promise<string> {
  const tooLarge = () => new Refusal(413, texts.badRequest)
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  let unchecked = beginning
  const limit = AbortSignal.timeout(transferTimeout(most))
  try {
    await consume(
      request,
      (chunk) => {
        size += chunk.length
        if (size > most) throw tooLarge()
        chunks.push(chunk)
        if (!unchecked || size < unchecked.bytes) return undefined
        const { bytes, check } = unchecked
        unchecked = undefined
        return check(Buffer.concat(chunks).subarray(0, bytes).toString()).then(() => {})
      },
      { signal: limit },
    )
  } catch (error) {
    if (limit.aborted) throw new Refusal(408, texts.silent)
    throw error
  }
  const text = Buffer.concat(chunks).toString()
  await unchecked?.check(text)
  return text
}
