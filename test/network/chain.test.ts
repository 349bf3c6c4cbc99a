import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StdFee } from '@cosmjs/amino'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toBase64, toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, DirectSecp256k1Wallet, type EncodeObject } from '@cosmjs/proto-signing'
import {
  ChainRefusal,
  ChainUnreachable,
  createChainPort,
  createOperator,
  createOrder,
  extendOrder,
  type Intent,
  type OrderMessage,
  payment,
  problemOf,
  verifyPayment,
} from '@tidenet/chain-client'
import { type ChainHandle, startChain } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-chain-'))
/**
 * Tests of any compatible chain. Set CHAIN_RPC_URL to use a running one, with CHAIN_ID, TIDENET_CHAIN_TOKEN,
 * TIDENET_CHAIN_ORDERS and the TIDENET_CHAIN_KEY_FILE of an operator who owns coins and tokens there.
 */
const given = process.env.CHAIN_RPC_URL
const CHAIN_ID = (given && process.env.CHAIN_ID) || 'tidenet-devnet-1'
const FEE: StdFee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
const RESOURCES = { cpu: 1, memory: 1, disk: 40 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

let chain: Omit<ChainHandle, 'process'>
let own: ChainHandle | undefined
let operator: SigningCosmWasmClient
let operatorAddress: string
beforeAll(async () => {
  const {
    TIDENET_CHAIN_TOKEN: token = '',
    TIDENET_CHAIN_ORDERS: orders = '',
    TIDENET_CHAIN_KEY_FILE = '',
  } = process.env
  own = given ? undefined : await startChain({ data: join(folder, 'chain'), blockMs: 50 })
  chain = own ?? { url: given ?? '', token, orders, rewards: '', tnt4: '', keyFile: TIDENET_CHAIN_KEY_FILE }
  await openOperator()
})
afterAll(async () => {
  operator?.disconnect()
  await own?.process.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function openOperator(): Promise<void> {
  const key = new Uint8Array(Buffer.from(readFileSync(chain.keyFile, 'utf8').trim(), 'hex'))
  const wallet = await DirectSecp256k1Wallet.fromKey(key, 'tide')
  operatorAddress = (await wallet.getAccounts())[0]?.address ?? ''
  operator = await SigningCosmWasmClient.connectWithSigner(chain.url, wallet, { broadcastPollIntervalMs: 30 })
}

const port = () => createChainPort({ urls: [chain.url], chainId: CHAIN_ID })

interface Buyer {
  address: string
  client: SigningCosmWasmClient
}

async function buyer(tokens = 1000): Promise<Buyer> {
  const wallet = await DirectSecp256k1HdWallet.generate(12, { prefix: 'tide' })
  const address = (await wallet.getAccounts())[0]?.address ?? ''
  await operator.sendTokens(operatorAddress, address, [{ denom: 'utide', amount: '100000' }], FEE)
  await operator.execute(
    operatorAddress,
    chain.token,
    { transfer: { recipient: address, amount: String(tokens) } },
    FEE,
  )
  return {
    address,
    client: await SigningCosmWasmClient.connectWithSigner(chain.url, wallet, { broadcastPollIntervalMs: 30 }),
  }
}

const id = () => randomBytes(8).toString('hex')
const executing = (sender: string, contract: string, message: object): EncodeObject => ({
  typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
  value: { sender, contract, msg: toUtf8(JSON.stringify(message)), funds: [] },
})
const send = async ({ address, client }: Buyer, messages: EncodeObject[]): Promise<string> =>
  (await client.signAndBroadcast(address, messages, FEE)).transactionHash
const pay = (who: Buyer, amount: bigint, message: OrderMessage) =>
  send(who, [executing(who.address, chain.token, payment(chain.orders, amount, message))])

async function verdict(hash: string, intent: Intent) {
  const tx = await port().tx(hash)
  if (!tx) throw new Error('no block holds it')
  return verifyPayment(tx, intent, chain, sha256)
}
const intentOf = (who: Buyer, message: OrderMessage, amount = 70n): Intent => ({
  payer: who.address,
  amount,
  message,
  fromHeight: 0,
})

describe('the chain', () => {
  it('returns its height, accounts, balances, contracts and transactions', async () => {
    const who = await buyer(400)
    const { height } = await port().status()
    expect(height).toBeGreaterThan(0)
    expect(await port().account(who.address)).toMatchObject({ sequence: 0 })
    expect(await port().balance(who.address, 'utide')).toBe(100_000n)
    expect(await port().query(chain.token, { balance: { address: who.address } })).toEqual({ balance: '400' })
    const order = id()
    const hash = await pay(who, 70n, createOrder(order, RESOURCES, 2))
    expect(await port().tx(hash)).toMatchObject({ hash, code: 0 })
    expect((await port().search(`wasm.order_id='${order}'`)).map((tx) => tx.hash)).toEqual([hash])
    expect(await port().tx('00'.repeat(32))).toBeUndefined()
  })

  it.skipIf(given)('keeps its state after kill -9', async () => {
    const { process } = own as ChainHandle
    const who = await buyer(5000)
    const hashes: string[] = []
    for (let number = 0; number < 5; number++) hashes.push(await pay(who, 70n, createOrder(id(), RESOURCES, 2)))
    const before = await port().query(chain.token, { balance: { address: who.address } })
    process.kill('SIGKILL')
    await process.exited
    operator.disconnect()
    chain = { ...chain, url: String((await process.restart()).url) }
    await openOperator()
    expect(await port().query(chain.token, { balance: { address: who.address } })).toEqual(before)
    for (const hash of hashes) expect((await port().tx(hash))?.code).toBe(0)
  })

  it('keeps its key file private', () => {
    expect(statSync(chain.keyFile).mode & 0o777).toBe(0o600)
  })
})

describe('a payment', () => {
  it('is confirmed if the right wallet sent the exact amount', async () => {
    const who = await buyer()
    const message = createOrder(id(), RESOURCES, 2)
    expect(await verdict(await pay(who, 70n, message), intentOf(who, message))).toEqual({ state: 'paid' })
  })

  it('rejected by the chain has failed', async () => {
    const who = await buyer(10)
    const message = createOrder(id(), RESOURCES, 2)
    const answer = await verdict(await pay(who, 70n, message), intentOf(who, message))
    expect(answer).toMatchObject({ state: 'failed', codespace: 'wasm', code: 5 })
    expect(problemOf(new Error((answer as { reason: string }).reason))).toBe('tokenFunds')
  })
})

describe('not accepted as payment:', () => {
  let who: Buyer
  let message: OrderMessage
  beforeAll(async () => {
    who = await buyer(5000)
    message = createOrder(id(), RESOURCES, 2)
  })

  const cases: [name: string, messages: (other: string) => object, state: string][] = [
    ['less money', () => payment(chain.orders, 69n, message), 'mismatch'],
    ['more money', () => payment(chain.orders, 71n, createOrder(id(), RESOURCES, 2)), 'mismatch'],
    ['another order', () => payment(chain.orders, 70n, createOrder(id(), RESOURCES, 2)), 'mismatch'],
    ['a bigger machine', () => payment(chain.orders, 70n, createOrder(id(), { ...RESOURCES, cpu: 32 }, 2)), 'mismatch'],
    ['a longer time', () => payment(chain.orders, 70n, createOrder(id(), RESOURCES, 720)), 'mismatch'],
    ['a transfer without an order', (other) => ({ transfer: { recipient: other, amount: '70' } }), 'foreign'],
  ]
  for (const [name, build, state] of cases)
    it(name, async () => {
      const other = await buyer(1)
      const hash = await send(who, [executing(who.address, chain.token, build(other.address))])
      expect(await verdict(hash, intentOf(who, createOrder('wanted', RESOURCES, 2)))).toMatchObject({ state })
    })

  it('a payment by another wallet', async () => {
    const other = await buyer()
    const theirs = createOrder(id(), RESOURCES, 2)
    const hash = await pay(other, 70n, theirs)
    expect(await verdict(hash, intentOf(who, theirs))).toMatchObject({ state: 'mismatch', reason: 'payer' })
  })

  it('two orders in one transaction', async () => {
    const [first, second] = [createOrder(id(), RESOURCES, 2), createOrder(id(), RESOURCES, 2)]
    const hash = await send(
      who,
      [first, second].map((each) => executing(who.address, chain.token, payment(chain.orders, 70n, each))),
    )
    expect(await verdict(hash, intentOf(who, first))).toMatchObject({ state: 'foreign' })
  })

  it('a transaction from before the order', async () => {
    const mine = createOrder(id(), RESOURCES, 2)
    const hash = await pay(who, 70n, mine)
    const { height } = (await port().tx(hash)) ?? { height: 0 }
    expect(await verdict(hash, { ...intentOf(who, mine), fromHeight: height + 1 })).toMatchObject({ reason: 'height' })
  })

  it('coins to an account, or a payment to another contract', async () => {
    const sent = await send(who, [
      {
        typeUrl: '/cosmos.bank.v1beta1.MsgSend',
        value: { fromAddress: who.address, toAddress: operatorAddress, amount: [{ denom: 'utide', amount: '70' }] },
      },
    ])
    expect(await verdict(sent, intentOf(who, message))).toMatchObject({ state: 'foreign', reason: 'messages' })
    const elsewhere = await send(who, [
      executing(who.address, chain.token, {
        send: { contract: chain.token, amount: '70', msg: toBase64(toUtf8(JSON.stringify(message))) },
      }),
    ])
    expect((await verdict(elsewhere, intentOf(who, message))).state).not.toBe('paid')
  })

  it('bytes that do not match the hash', async () => {
    const mine = createOrder(id(), RESOURCES, 2)
    const tx = await port().tx(await pay(who, 70n, mine))
    if (!tx) throw new Error('no block holds it')
    const other = { ...tx, hash: 'AB'.repeat(32) }
    expect(verifyPayment(other, intentOf(who, mine), chain, sha256)).toMatchObject({ state: 'foreign', reason: 'hash' })
  })

  it('a renewal signed for another duration', async () => {
    const order = id()
    await pay(who, 70n, createOrder(order, RESOURCES, 2))
    const hash = await pay(who, 70n, extendOrder(order, 4))
    expect(await verdict(hash, intentOf(who, extendOrder(order, 8)))).toMatchObject({ state: 'mismatch' })
  })
})

describe('the signer of the network', () => {
  const signer = () =>
    createOperator({
      port: port(),
      privateKey: new Uint8Array(Buffer.from(readFileSync(chain.keyFile, 'utf8').trim(), 'hex')),
      chainId: CHAIN_ID,
      prefix: 'tide',
      denom: 'utide',
      gasPrice: 0.025,
    })

  it('can run in several processes with one key, and sends everything once', async () => {
    const who = await buyer(0)
    const signers = [signer(), signer(), signer()]
    const done = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        (signers[index % 3] as ReturnType<typeof signer>).execute([{ coins: [{ to: who.address, amount: 1n }] }]),
      ),
    )
    expect(new Set(done.map(({ hash }) => hash)).size).toBe(15)
    expect(await port().balance(who.address, 'utide')).toBe(100_015n)
  })

  it('knows the hash before sending, and sends nothing if it cannot be recorded', async () => {
    const who = await buyer(0)
    const written: string[] = []
    const coins = [{ coins: [{ to: who.address, amount: 5n }] }]
    const full = signer().submit(coins, {
      onSigned: async () => {
        throw new Error('the disk is full')
      },
    })
    await expect(full).rejects.toThrow('the disk is full')
    const { hash } = await signer().execute(coins, { onSigned: async (signed) => void written.push(signed.hash) })
    expect(written).toEqual([hash])
    expect(await port().balance(who.address, 'utide')).toBe(100_005n)
  })

  it('reports what the chain rejected', async () => {
    const who = await buyer(0)
    const transfer = { transfer: { recipient: who.address, amount: String(10n ** 30n) } }
    const refused = signer().execute([{ execute: { contract: chain.token, msg: transfer } }])
    await expect(refused).rejects.toMatchObject({ codespace: 'wasm', code: 5 })
  })
})

describe('a network', () => {
  it('starts a chain on request, restarts it after a crash, and stops it', async () => {
    const network = await startNetwork({ nodes: [], chain: { blockMs: 50 }, supervise: true })
    try {
      const settings = async () => (await (await fetch(`${network.url}/api/v1/chain/settings`)).json()) as unknown
      expect(await settings()).toMatchObject({ code: 0, data: { chain_id: CHAIN_ID, development: true } })
      const through = createChainPort({ urls: [`${network.url}/chain/rpc`], chainId: CHAIN_ID })
      await through.status()
      const { process } = network.chain as ChainHandle
      process.kill('SIGKILL')
      await process.exited
      await process.ready
      expect(await through.query((network.chain as ChainHandle).token, { token_info: {} })).toMatchObject({
        decimals: 2,
      })
      await network.stop()
      expect(process.pid).toBeUndefined()
    } finally {
      await network.stop()
    }
  })
})

describe('rejected:', () => {
  it('a chain other than the configured one, and one that does not respond', async () => {
    await expect(createChainPort({ urls: [chain.url], chainId: 'other-1' }).status()).rejects.toThrow(ChainUnreachable)
    await expect(createChainPort({ urls: ['http://127.0.0.1:9'], chainId: CHAIN_ID }).status()).rejects.toThrow(
      ChainUnreachable,
    )
    // The next URL is tried.
    const both = createChainPort({ urls: ['http://127.0.0.1:9', chain.url], chainId: CHAIN_ID })
    expect((await both.status()).height).toBeGreaterThan(0)
  })

  it('malformed input', async () => {
    await expect(port().broadcast(randomBytes(64))).rejects.toThrow(ChainRefusal)
    for (const [path, body] of [
      ['/', '{'],
      ['/', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'constructor', params: {} })],
      ['/', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tx_search', params: { query: "'; drop" } })],
      ['/', JSON.stringify(Array.from({ length: 101 }, () => ({ method: 'health' })))],
    ] as const) {
      const answer = await fetch(chain.url + path, { method: 'POST', body })
      expect(JSON.stringify(await answer.json())).toContain('error')
    }
  })

  it.skipIf(given)('wallet queries for missing objects, with the statuses that wallets expect', async () => {
    expect((await fetch(`${chain.url}/rest/cosmos/evidence/v1beta1/evidence`)).status).toBe(501)
    expect((await fetch(`${chain.url}/rest/cosmwasm/wasm/v1/contract/test/smart/test`)).status).toBe(400)
    expect((await fetch(`${chain.url}/rest/cosmos/bank/v1beta1/spendable_balances/test`)).status).toBe(400)
  })
})
