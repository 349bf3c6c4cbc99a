import type { IncomingMessage } from 'node:http'
import { transferTimeout } from '@tidenet/contract'
import { consume } from './consume.ts'
import { Refusal } from './refusal.ts'
import { texts } from './texts.ts'

/** The body of a request as text. @throws Refusal 408, 413 */
export async function readText(request: IncomingMessage, most: number): Promise<string> {
  const tooLarge = () => new Refusal(413, texts.badRequest)
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  const limit = AbortSignal.timeout(transferTimeout(most))
  try {
    await consume(
      request,
      (chunk) => {
        size += chunk.length
        if (size > most) throw tooLarge()
        chunks.push(chunk)
        return undefined
      },
      { signal: limit },
    )
  } catch (error) {
    if (limit.aborted) throw new Refusal(408, texts.silent)
    throw error
  }
  return Buffer.concat(chunks).toString()
}
