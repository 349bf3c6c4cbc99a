import { transferTimeout, UPLOAD_TIMEOUT_MIN } from '@tidenet/contract'
import { FetchFailed, type GuardedAnswer, guardedFetch } from '@tidenet/daemon'
import type { Context } from '../context.ts'

/**
 * GETs an address of a node, with limits for bytes and time, and without access to the operator's private network.
 * @param most maximum bytes of the answer
 * @throws FetchFailed also for any status other than 200
 */
export async function fetchNode(
  { config }: Pick<Context, 'config'>,
  url: string,
  most: number,
  signal?: AbortSignal,
): Promise<GuardedAnswer['body']> {
  const { status, body } = await guardedFetch(url, {
    most,
    withinMs: transferTimeout(most),
    silenceMs: UPLOAD_TIMEOUT_MIN,
    privateToo: config.privateNodes,
    manyNames: true,
    ...(signal && { signal }),
  })
  if (status === 200) return body
  body.destroy()
  throw new FetchFailed(`it answered ${status}`)
}

/** The whole answer, in memory. @throws FetchFailed */
export async function readNode(
  context: Pick<Context, 'config'>,
  url: string,
  most: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await fetchNode(context, url, most, signal)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
