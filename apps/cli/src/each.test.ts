import { describe, expect, it } from 'vitest'
import { CommandError } from './command-error.ts'
import { forEach } from './each.ts'

const nameOf = (item: string) => item
const failing = (...bad: CommandError[]) => {
  const left = [...bad]
  return async (item: string) => {
    if (item.startsWith('bad')) throw left.shift() ?? new Error('unforeseen')
    return item.toUpperCase()
  }
}
const failureOf = (work: Promise<unknown>): Promise<CommandError> =>
  work.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: CommandError) => error,
  )

describe('several things', () => {
  it('are done in their order', async () => {
    expect(await forEach(['a', 'b', 'c'], { nameOf, concurrency: 2 }, failing())).toEqual(['A', 'B', 'C'])
    expect(await forEach([], { nameOf }, failing())).toEqual([])
  })

  it('continue after a failure, and the result lists both', async () => {
    const failed = await failureOf(
      forEach(['a', 'bad', 'c'], { nameOf }, failing(new CommandError('no', 'notFound', { code: 1000 }))),
    )
    expect(failed.exit).toBe('notFound')
    expect(failed.more).toEqual({ list: ['A', 'C'], failed: [{ name: 'bad', code: 1000, msg: 'no' }] })
  })

  it('that fail for different reasons have a general failure', async () => {
    const failed = await failureOf(forEach(['bad1', 'bad2'], { nameOf }, failing(new CommandError('no', 'notFound'))))
    expect(failed.exit).toBe('failed')
  })

  it('all end when one is cancelled or nobody is signed in', async () => {
    for (const exit of ['cancelled', 'signIn'] as const) {
      const seen: string[] = []
      const work = async (item: string) => {
        seen.push(item)
        throw new CommandError('no', exit)
      }
      expect((await failureOf(forEach(['a', 'b'], { nameOf }, work))).exit).toBe(exit)
      expect(seen).toEqual(['a'])
    }
  })

  it('fail with the only failure', async () => {
    const only = new CommandError('no', 'notFound')
    expect(await failureOf(forEach(['bad'], { nameOf }, failing(only)))).toBe(only)
  })
})
