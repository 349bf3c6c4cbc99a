import { type Answering, type Ask, isUnreachable, type Platform, Unreachable } from '../platform/platform.ts'

/**
 * Asks a node, and gives up when nothing comes for `patience` ms: before the answer, or between two pieces of it.
 * The body then throws Unreachable with reason `stalled`.
 */
export async function reading(
  needs: { platform: Platform; signal: AbortSignal },
  ask: Omit<Ask, 'signal'>,
  patience: number,
): Promise<Answering> {
  const stop = new AbortController()
  let stalled = false
  const give = () => stop.abort()
  needs.signal.addEventListener('abort', give)
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      stalled = true
      stop.abort()
    }, patience)
  }
  const done = () => {
    clearTimeout(timer)
    needs.signal.removeEventListener('abort', give)
  }
  const reason = (error: unknown): Unreachable => {
    if (stalled) return new Unreachable('stalled', 'nothing came in time')
    if (needs.signal.aborted) return new Unreachable('aborted', 'stopped')
    return isUnreachable(error) ? error : new Unreachable('network', (error as Error).message, { cause: error })
  }
  if (needs.signal.aborted) throw new Unreachable('aborted', 'stopped')
  wait()
  let answer: Answering
  try {
    answer = await needs.platform.get({ ...ask, signal: stop.signal })
  } catch (error) {
    done()
    throw reason(error)
  }
  wait()
  async function* body(): AsyncIterable<Uint8Array> {
    try {
      for await (const piece of answer.body) {
        // While the caller works on a piece the node is not the one that is slow.
        clearTimeout(timer)
        yield piece
        wait()
      }
    } catch (error) {
      throw reason(error)
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
