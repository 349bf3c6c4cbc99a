import { expect, it } from 'vitest'
import { isUnreachable, type Platform, Unreachable } from '../platform/platform.ts'
import { withFrozenNodeCheck } from './node-watch.ts'

const NODE = 'http://node/uploadv2'
const OTHER = 'http://other/uploadv2'

/** A platform on which only these hosts respond. */
function answering(...hosts: string[]) {
  const get: Platform['get'] = ({ url, signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Unreachable('aborted', 'stopped')))
      if (hosts.includes(new URL(url).host)) resolve({ discard() {} } as Awaited<ReturnType<Platform['get']>>)
    })
  return { get } as Platform
}

/** Work of `ms` that reports progress at intervals. */
const working = (ms: number, every = ms * 2) =>
  async function work(signal: AbortSignal, progressed: () => void): Promise<string> {
    const moving = setInterval(progressed, every)
    try {
      return await new Promise((resolve, reject) => {
        setTimeout(() => resolve('done'), ms)
        signal.addEventListener('abort', () => reject(new Unreachable('aborted', 'stopped')))
      })
    } finally {
      clearInterval(moving)
    }
  }

const watch = (platform: Platform, signal = new AbortController().signal, others = [OTHER]) => ({
  platform,
  signal,
  probeAfter: 30,
  url: NODE,
  others,
})

it('gives up a node that is silent and does not answer checks', async () => {
  const began = performance.now()
  const error = await withFrozenNodeCheck(watch(answering('other')), working(5000)).catch((reason: unknown) => reason)
  expect(isUnreachable(error) && error.reason).toBe('frozen')
  expect(performance.now() - began).toBeLessThan(2000)
})

it.each([
  ['that is there', watch(answering('node', 'other'))],
  ['when no other answers either: the way may be broken', watch(answering())],
  ['when there is no other', watch(answering(), undefined, [])],
])('a quiet node is waited for %s', async (_, needs) => {
  expect(await withFrozenNodeCheck(needs, working(300))).toBe('done')
})

it('does not check a node that receives bytes', async () => {
  expect(await withFrozenNodeCheck(watch(answering('other')), working(300, 5))).toBe('done')
})

it('reports that the caller aborted', async () => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 20)
  const error = await withFrozenNodeCheck(watch(answering('node'), stop.signal), working(5000)).catch(
    (reason) => reason,
  )
  expect(isUnreachable(error) && error.reason).toBe('aborted')
})
