import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCheckpoint } from '@tidenet/receipts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepPublished, logFigures } from './published.ts'

const LOG = 'tidenet-log-01234567'

let data: string
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'tidenet-published-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

const server = () => ({ keys: { log: LOG }, config: { data } }) as unknown as Parameters<typeof keepPublished>[0]
const log = (size: number) => ({ size, root: Buffer.alloc(32, size % 256) })

describe('the newest checkpoint', () => {
  it('is readable after servers of one folder wrote theirs at the same time', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, each) => keepPublished(server(), log(10 ** (each % 10) + each))))
    const [name, ...more] = await readdir(join(data, 'log'))
    expect(more).toEqual([])
    expect(parseCheckpoint(await readFile(join(data, 'log', name as string), 'utf8'))?.origin).toBe(LOG)
  })

  it('is not ahead of the log only because another server appends meanwhile', async () => {
    await keepPublished(server(), log(1))
    let current = log(1)
    const appendMeanwhile = async () => {
      const before = current
      current = log(before.size + 1)
      await keepPublished(server(), current)
      return before
    }
    const db = { maybe: appendMeanwhile, one: async () => ({ waiting: 0, oldest: null }) } as never
    expect((await logFigures({ ...server(), db })).behind).toBe(false)
  })
})
