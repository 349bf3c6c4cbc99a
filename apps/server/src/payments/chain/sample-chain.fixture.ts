import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Chain, chainOf } from './chain.ts'
import { type ChainConfig, NO_CHAIN } from './config.ts'

/** For tests: the real development chain in its own process, with a block every 50 ms. */
export interface SampleChain {
  /** For `setup({ chain })`. */
  config: ChainConfig
  url: string
  /** Data folder. */
  data: string
  /** Lets this much time pass on the chain. */
  pass(ms: number): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Kills it and starts it on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../../../../chain/dist/main.js', import.meta.url))

interface Ready {
  url: string
  port: number
  operator: string
  token: string
  orders: string
  rewards: string
  tnt4: string
}

/** @param minGasPrice the chain rejects transactions with a lower gas price */
export async function startSampleChain(
  more: Partial<ChainConfig['faucet']> = {},
  blockMs = 50,
  minGasPrice = '0',
): Promise<SampleChain> {
  const data = mkdtempSync(join(tmpdir(), 'tidenet-sample-chain-'))
  let port = 0
  let offsetMs = 0
  let child: ChildProcess

  const begin = () =>
    new Promise<Ready>((resolve, reject) => {
      child = spawn(process.execPath, [PROGRAM], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          PATH: process.env.PATH,
          TIDENET_ENV: 'test',
          TIDENET_CHAIN_DATA: data,
          TIDENET_CHAIN_PORT: String(port),
          TIDENET_CHAIN_BLOCK_MS: String(blockMs),
          TIDENET_CHAIN_MIN_GAS_PRICE: minGasPrice,
          TIDENET_LOG_LEVEL: 'error',
        },
      })
      child.once('message', (message) => resolve(message as Ready))
      child.once('exit', (code) => reject(new Error(`the chain exited with ${code}: run npm run build`)))
    })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  const ready = await begin()
  port = ready.port
  return {
    url: ready.url,
    data,
    config: {
      ...NO_CHAIN,
      rpc: [ready.url],
      rest: `${ready.url}/rest`,
      token: ready.token,
      orders: ready.orders,
      rewards: { ...NO_CHAIN.rewards, token: ready.rewards },
      exchangeToken: ready.tnt4,
      key: Buffer.from(readFileSync(ready.operator, 'utf8').trim(), 'hex'),
      development: minGasPrice === '0',
      faucet: { ...NO_CHAIN.faucet, ...more },
    },
    async pass(ms) {
      offsetMs += ms
      const config = { rpc: [ready.url] }
      const { port: rpc } = chainOf({ ...NO_CHAIN, ...config }) as Chain
      const until = (await rpc.status()).time.getTime() + ms
      child.send({ type: 'clock', offsetMs })
      while ((await rpc.status()).time.getTime() < until) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGKILL')
      await begin()
    },
    async stop() {
      await end('SIGTERM')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Waits for the next block of the chain. */
export async function nextBlock({ config }: Pick<SampleChain, 'config'>): Promise<void> {
  const { port } = chainOf(config) as Chain
  const { height } = await port.status()
  while ((await port.status()).height === height) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** The fault to inject into a request, by RPC method. */
export type FaultOf = (method: string) => 'unreachable' | 'response lost' | undefined

/** The chain behind a transport with injected faults. */
export function withFaultyTransport({ config }: Pick<SampleChain, 'config'>, faultOf: FaultOf): Chain | undefined {
  return chainOf(config, async (url, init) => {
    const { method } = JSON.parse(String(init?.body)) as { method: string }
    const fault = faultOf(method)
    if (fault === 'unreachable') throw new TypeError('fetch failed')
    const answer = await fetch(url, init)
    if (fault === 'response lost') throw new TypeError('fetch failed')
    return answer
  })
}
