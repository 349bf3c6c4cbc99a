import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { chainAt } from './chain.ts'

const tx = Buffer.from('a transaction')
const hash = createHash('sha256').update(tx).digest('hex').toUpperCase()
let answers: Record<string, object>
const node = createServer((request, response) => {
  response.end(JSON.stringify({ jsonrpc: '2.0', id: -1, ...answers[request.url ?? ''] }))
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
})
afterAll(() => void node.close())

const sync_info = { catching_up: false, earliest_block_height: '5' }
beforeEach(() => {
  answers = {
    '/status': { result: { node_info: { network: 'tide-1' }, sync_info } },
    [`/tx?hash=0x${hash}`]: { result: { height: '12', tx: tx.toString('base64') } },
    [`/tx?hash=0x${'A'.repeat(64)}`]: { error: { code: -32603, data: `tx (${'A'.repeat(64)}) not found` } },
  }
})

it('finds a transaction with its block, and says which chain it asked', async () => {
  const chain = chainAt(`${url}/`)
  expect(await chain.status()).toEqual({ chain: 'tide-1', earliest: 5 })
  expect(await chain.find(hash)).toEqual({ height: 12 })
  expect(await chain.find('A'.repeat(64))).toBeUndefined()
})

it.each([
  ['is no chain', {}],
  ['has no index', { error: { data: 'transaction indexing is disabled' } }],
  ['answers with another transaction', { result: { height: '12', tx: 'AAAA' } }],
])('learns nothing from a node that %s', async (_, answer) => {
  answers[`/tx?hash=0x${hash}`] = answer
  await expect(chainAt(url).find(hash)).rejects.toThrow()
})

it('learns nothing from a node that is catching up, or does not answer', async () => {
  answers['/status'] = { result: { node_info: { network: 'tide-1' }, sync_info: { catching_up: true } } }
  await expect(chainAt(url).status()).rejects.toThrow()
  await expect(chainAt('http://127.0.0.1:9').status()).rejects.toThrow()
})
