import {
  type GetRequest,
  isUnreachable,
  type Platform,
  type StreamingResponse,
  Unreachable,
} from '../platform/platform.ts'

/**
 * Sends a request to a node with an idle timeout of `patience` ms, before the response and between two pieces of its body. On timeout the
 * body throws Unreachable with reason `stalled`.
 */
export async function getWithTimeout(
  needs: { platform: Platform; signal: AbortSignal },
  ask: Omit<GetRequest, 'signal'>,
  idleTimeout: number,
): Promise<StreamingResponse> {
  const stop = new AbortController()
  let stalled = false
  const abort = () => stop.abort()
  needs.signal.addEventListener('abort', abort)
  let timer: ReturnType<typeof setTimeout>
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      stalled = true
      stop.abort()
    }, idleTimeout)
  }
  const done = () => {
    clearTimeout(timer)
    needs.signal.removeEventListener('abort', abort)
  }
  const toUnreachable = (error: unknown): Unreachable => {
    if (stalled) return new Unreachable('stalled', 'nothing came in time')
    if (needs.signal.aborted) return new Unreachable('aborted', 'stopped')
    return isUnreachable(error) ? error : new Unreachable('network', (error as Error).message, { cause: error })
  }
  if (needs.signal.aborted) throw new Unreachable('aborted', 'stopped')
  restartTimer()
  let answer: StreamingResponse
  try {
    answer = await needs.platform.get({ ...ask, signal: stop.signal })
  } catch (error) {
    done()
    throw toUnreachable(error)
  }
  restartTimer()
  async function* body(): AsyncIterable<Uint8Array> {
    try {
      for await (const piece of answer.body) {
        // The time the caller spends on a piece does not count against the node.
        clearTimeout(timer)
        yield piece
        restartTimer()
      }
    } catch (error) {
      throw toUnreachable(error)
    } finally {
      done()
    }
  }
  return {
    ...answer,
    body: body(),
    discard() {
      done()
      answer.discard()
    },
  }
}
