import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChainPort } from '@tidenet/chain-client'
import { type ChainHandle, startChain } from '@tidenet/testnet'
import { afterAll, beforeAll } from 'vitest'
import { describeChainClient } from './chain-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-chain-client-'))
const ID = 'tidenet-devnet-1'
let chain: ChainHandle
let offset = 0
async function pass(ms: number): Promise<void> {
  const { status } = createChainPort({ urls: [chain.url], chainId: ID })
  const until = (await status()).time.getTime() + ms
  offset += ms
  await chain.process.moveClock(offset)
  while ((await status()).time.getTime() < until) await new Promise((resolve) => setTimeout(resolve, 20))
}

beforeAll(async () => {
  chain = await startChain({ data: join(folder, 'chain'), blockMs: 50 })
})
afterAll(async () => {
  await chain?.process.stop()
  rmSync(folder, { recursive: true, force: true })
})

describeChainClient('the development chain', () => ({
  ...chain,
  id: ID,
  key: Buffer.from(readFileSync(chain.keyFile, 'utf8').trim(), 'hex'),
  gasPrice: 0,
  pass,
}))
