import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { Secp256k1 } from '@cosmjs/crypto'
import { toBech32 } from '@cosmjs/encoding'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { createChainPort } from '@tidenet/chain-client'
import { freePort } from '@tidenet/testnet'

export type Wasmd = Awaited<ReturnType<typeof startWasmd>>

export const WASMD_ID = 'tidenet-wasmd-1'
export const WASMD_GAS_PRICE = 0.025
const DENOM = 'utide'
/** Receives what orders earn; nobody has its key. */
const TREASURY = toBech32('tide', new Uint8Array(20).fill(7))
const CAPACITY = { cpu: 1000, memory: 4000, disk: 100_000 }
const run = promisify(execFile)

const addressOf = (key: Uint8Array): string =>
  toBech32('tide', rawSecp256k1PubkeyToRawAddress(Secp256k1.compressPubkey(Secp256k1.makeKeypair(key).pubkey)))

/**
 * A chain with one validator on loopback, and a block about every 200 ms. It has our two contracts as wasm, without an admin; our operator
 * owns all tokens, and coins of which a part vests over a year, so that its account is not a plain one.
 */
export async function startWasmd() {
  const program = process.env.TIDENET_TEST_WASMD
  if (!program) throw new Error('TIDENET_TEST_WASMD is not set: run these tests with `npm run test:long -- wasmd`')
  const home = mkdtempSync(join(tmpdir(), 'tidenet-wasmd-'))
  const key = randomBytes(32)
  const operator = addressOf(key)
  const wasmd = async (...args: string[]) => (await run(program, [...args, '--home', home])).stdout
  const test = ['--keyring-backend', 'test']

  await wasmd('init', 'test', '--chain-id', WASMD_ID, '--default-denom', DENOM)
  await wasmd('keys', 'add', 'validator', ...test)
  const [now, year] = [Math.floor(Date.now() / 1000), 365 * 86_400]
  const vesting = ['--vesting-amount', `1000000${DENOM}`, '--vesting-start-time', String(now)]
  await wasmd('genesis', 'add-genesis-account', 'validator', `1000000000${DENOM}`, ...test)
  await wasmd(
    ...['genesis', 'add-genesis-account', operator, `1000000000000${DENOM}`],
    ...[...vesting, '--vesting-end-time', String(now + year)],
  )
  await wasmd('genesis', 'gentx', 'validator', `500000000${DENOM}`, '--chain-id', WASMD_ID, ...test)
  await wasmd('genesis', 'collect-gentxs')
  change(join(home, 'config', 'config.toml'), [['timeout_commit = "5s"', 'timeout_commit = "150ms"']])

  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess
  const begin = async () => {
    child = spawn(
      program,
      [
        ...['start', '--home', home, '--rpc.laddr', `tcp://127.0.0.1:${port}`],
        ...['--p2p.laddr', `tcp://127.0.0.1:${await freePort()}`, '--rpc.pprof_laddr', ''],
        ...['--minimum-gas-prices', `${WASMD_GAS_PRICE}${DENOM}`, '--api.enable=false'],
        // Without it, the node has no service of transactions, also not through the RPC, and does not simulate.
        ...['--grpc.enable=true', '--grpc.address', `127.0.0.1:${await freePort()}`],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const log = createWriteStream(join(home, 'log'), { flags: 'a' })
    child.stdout?.pipe(log)
    child.stderr?.pipe(log)
    const { status } = createChainPort({ urls: [url], chainId: WASMD_ID })
    let first = 0
    for (;;) {
      if (child.exitCode !== null)
        throw new Error(`wasmd does not start:\n${readFileSync(join(home, 'log'), 'utf8').slice(-2000)}`)
      const { height } = await status().catch(() => ({ height: 0 }))
      first ||= height
      // Before its next block, a node that was started again refuses all signatures of accounts that are not the first one.
      if (height > first) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  await begin()
  const contracts = await deploy(url, key)
  return {
    url,
    key,
    operator,
    /** What wasmd wrote to its log. */
    log: () => readFileSync(join(home, 'log'), 'utf8'),
    ...contracts,
    data: home,
    kill: () => end('SIGKILL'),
    /** Kills it and starts it on the same port. */
    async restart() {
      await end('SIGKILL')
      await begin()
    },
    async stop() {
      await end('SIGKILL')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function change(file: string, changes: readonly [from: string, to: string][]): void {
  let text = readFileSync(file, 'utf8')
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    text = text.replace(from, to)
  }
  writeFileSync(file, text)
}

/** Uploads the wasm of the repository, as an operator of a network does. @returns the addresses, and the gas of each upload */
async function deploy(url: string, key: Uint8Array) {
  const wallet = await DirectSecp256k1Wallet.fromKey(key, 'tide')
  const client = await SigningCosmWasmClient.connectWithSigner(url, wallet, { broadcastPollIntervalMs: 50 })
  const fee = { amount: [{ denom: DENOM, amount: String(3_000_000 * WASMD_GAS_PRICE) }], gas: '3000000' }
  const from = addressOf(key)
  const upload = (name: string) =>
    client.upload(from, readFileSync(new URL(`../../apps/chain/wasm/${name}.wasm`, import.meta.url)), fee)
  const create = async (code: number, label: string, message: object) =>
    (await client.instantiate(from, code, message, label, fee)).contractAddress
  try {
    const [tokenCode, ordersCode] = [await upload('token'), await upload('orders')]
    const token = await create(tokenCode.codeId, 'token', {
      ...{ name: 'Tide', symbol: 'TIDE', decimals: 2 },
      initial_balances: [{ address: from, amount: '1000000000000' }],
    })
    const first = { token, operator: from, treasury: TREASURY, capacity: CAPACITY }
    const orders = await create(ordersCode.codeId, 'orders', first)
    return { token, orders, uploadGas: { token: tokenCode.gasUsed, orders: ordersCode.gasUsed } }
  } finally {
    client.disconnect()
  }
}
