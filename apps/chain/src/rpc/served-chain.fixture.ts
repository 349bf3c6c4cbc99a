import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StdFee } from '@cosmjs/amino'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { DirectSecp256k1HdWallet, DirectSecp256k1Wallet, type OfflineSigner } from '@cosmjs/proto-signing'
import { type ChainConfig, readChainConfig } from '../config.ts'
import { type RunningChain, runChain } from '../program.ts'

export const FEE: StdFee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
export const coins = (amount: number | string) => [{ denom: 'utide', amount: String(amount) }]

export interface Person {
  address: string
  client: SigningCosmWasmClient
}

export type ServedChain = Awaited<ReturnType<typeof serveNewChain>>

/** A new chain with blocks every 30 ms, and its clients. The caller stops it, which deletes it. */
export async function serveNewChain(settings: Partial<ChainConfig> = {}) {
  const data = settings.data ?? mkdtempSync(join(tmpdir(), 'tidenet-chain-rpc-'))
  const config: ChainConfig = {
    ...readChainConfig({ TIDENET_CHAIN_DATA: data, TIDENET_ENV: 'test' }),
    blockMs: 30,
    logLevel: 'silent',
    ...settings,
  }
  const clients: SigningCosmWasmClient[] = []
  let running: RunningChain = await runChain(config)
  const clientOf = async (signer: OfflineSigner) => {
    const options = { broadcastPollIntervalMs: 20 }
    const client = await SigningCosmWasmClient.connectWithSigner(running.url, signer, options)
    clients.push(client)
    return client
  }
  const connectOperator = async (): Promise<Person> => {
    const key = Buffer.from(readFileSync(running.operator.file, 'utf8').trim(), 'hex')
    const signer = await DirectSecp256k1Wallet.fromKey(new Uint8Array(key), config.prefix)
    return { address: running.operator.address, client: await clientOf(signer) }
  }
  let operator = await connectOperator()
  return {
    config,
    get running() {
      return running
    },
    get operator() {
      return operator
    },
    /** A new account with this many coins. */
    async person(amount: number): Promise<Person> {
      const wallet = await DirectSecp256k1HdWallet.generate(12, { prefix: config.prefix })
      const address = (await wallet.getAccounts())[0]?.address ?? ''
      if (amount > 0) await operator.client.sendTokens(operator.address, address, coins(amount), FEE)
      return { address, client: await clientOf(wallet) }
    },
    /** The same blocks at the same address, replayed. */
    async restart(): Promise<void> {
      await running.stop()
      running = await runChain({ ...config, port: Number(new URL(running.url).port) })
      operator = await connectOperator()
    },
    async stop(): Promise<void> {
      for (const client of clients) client.disconnect()
      await running.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
