import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { afterAll, describe, expect, it } from 'vitest'
import type { ServerLink } from '../server-link.ts'
import { openReceipts } from './receipts.ts'

const made: string[] = []
afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true }))))

describe('the receipt of an upload that is repeated before it was delivered', () => {
  it('leaves no file', async () => {
    const data = await mkdtemp(join(tmpdir(), 'receipts-'))
    made.push(data)
    const delivered: string[] = []
    const call = async (_: string, { receipts }: { receipts: string[] }) => {
      delivered.push(...receipts)
      return { server_time: 1 }
    }
    const link = { call } as unknown as ServerLink
    const receipts = await openReceipts({ data, link, log: createLogger('test', 'silent'), retryMs: 3_600_000 })
    receipts.asWrite('a receipt')
    await Promise.all([
      receipts.deliver('a receipt', 'bafkrei', { durable: true, later: true }),
      receipts.deliver('a receipt', 'bafkrei'),
    ])
    expect(delivered).toEqual(['a receipt'])
    expect(await readdir(join(data, 'outbox'))).toEqual([])
    await receipts.stop()
  })
})
