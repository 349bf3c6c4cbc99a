import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secp256k1HdWallet, type StdFee } from '@cosmjs/amino'
import { CosmWasmClient, SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toBase64, toBech32, toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, DirectSecp256k1Wallet, type OfflineSigner } from '@cosmjs/proto-signing'
import { GasPrice } from '@cosmjs/stargate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainConfig, readChainConfig } from './config.ts'
import { type RunningChain, runChain } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidenet-chain-'))
const config: ChainConfig = {
  ...readChainConfig({ TIDENET_CHAIN_DATA: folder, TIDENET_ENV: 'test' }),
  blockMs: 30,
  logLevel: 'silent',
}
const FEE: StdFee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }

let running: RunningChain
let operator: SigningCosmWasmClient
beforeAll(async () => {
  running = await runChain(config)
  operator = await clientOf(await operatorSigner())
})
afterAll(async () => {
  operator?.disconnect()
  await running?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const clientOf = (signer: OfflineSigner) =>
  SigningCosmWasmClient.connectWithSigner(running.url, signer, {
    broadcastPollIntervalMs: 20,
    gasPrice: GasPrice.fromString('0.001utide'),
  })
const operatorSigner = () =>
  DirectSecp256k1Wallet.fromKey(
    new Uint8Array(Buffer.from(readFileSync(running.operator.file, 'utf8').trim(), 'hex')),
    config.prefix,
  )

interface Person {
  address: string
  client: SigningCosmWasmClient
}

/** An account with coins for fees, and tokens. */
async function person(tokens: number, kind: 'direct' | 'amino' = 'direct'): Promise<Person> {
  const wallet = await (kind === 'direct' ? DirectSecp256k1HdWallet : Secp256k1HdWallet).generate(12, {
    prefix: config.prefix,
  })
  const [account] = await wallet.getAccounts()
  const address = account?.address ?? ''
  await operator.sendTokens(running.operator.address, address, [{ denom: 'utide', amount: '100000' }], FEE)
  if (tokens > 0)
    await operator.execute(
      running.operator.address,
      running.token,
      { transfer: { recipient: address, amount: String(tokens) } },
      FEE,
    )
  return { address, client: await clientOf(wallet) }
}

const orderId = () => randomBytes(8).toString('hex')
const pay = ({ address, client }: Person, amount: number, order: object) =>
  client.execute(
    address,
    running.token,
    { send: { contract: running.orders, amount: String(amount), msg: toBase64(toUtf8(JSON.stringify(order))) } },
    FEE,
  )
const create = (id: string, hours = 2) => ({
  CreateOrder: { order_id: id, cpu: 1, memory: 1, disk: 40, duration: hours * 600 },
})
const tokensOf = async (address: string): Promise<number> =>
  Number((await operator.queryContractSmart(running.token, { balance: { address } })).balance)
const find = async (id: string) =>
  (await operator.queryContractSmart(running.orders, { orders: { order_ids: [id] } }))[0]
const locked = async () => Number((await operator.queryContractSmart(running.orders, { escrow: {} })).locked)

describe('an order', () => {
  for (const kind of ['direct', 'amino'] as const)
    it(`is paid with a wallet that signs in the way ${kind}, found by its events, and locked`, async () => {
      const buyer = await person(400, kind)
      const id = orderId()
      const { transactionHash, height } = await pay(buyer, 70, create(id))
      expect(await find(id)).toMatchObject({
        id,
        initiator: buyer.address,
        duration: 1200,
        locked_funds: 70,
        start_height: height,
        resource: { cpu: 1, memory: 1, disk: 40 },
        status: 'Active',
      })
      expect(await tokensOf(buyer.address)).toBe(330)
      const found = await operator.searchTx(`wasm.order_id='${id}'`)
      expect(found.map(({ hash }) => hash)).toEqual([transactionHash])
      expect((await operator.getTx(transactionHash))?.events.some(({ type }) => type === 'wasm')).toBe(true)
    })

  it('ends early: started hours are charged, the rest is refunded', async () => {
    const buyer = await person(400)
    const id = orderId()
    await pay(buyer, 300, create(id, 3))
    running.advance(601)
    await operator.execute(running.operator.address, running.orders, { release_order: { order_id: id } }, FEE)
    expect(await tokensOf(buyer.address)).toBe(200)
    expect((await find(id)).status).toBe('Expired')
    await expect(
      operator.execute(running.operator.address, running.orders, { release_order: { order_id: id } }, FEE),
    ).rejects.toThrow('Bad request')
  })

  it('that was not delivered is refunded in full', async () => {
    const buyer = await person(400)
    const id = orderId()
    await pay(buyer, 300, create(id, 3))
    await operator.execute(
      running.operator.address,
      running.orders,
      { release_order: { order_id: id, whole: true } },
      FEE,
    )
    expect(await tokensOf(buyer.address)).toBe(400)
  })

  it('is extended to a longer total, and replaced by another order, which refunds the unused hours', async () => {
    const buyer = await person(1000)
    const [id, next] = [orderId(), orderId()]
    await pay(buyer, 200, create(id, 2))
    await pay(buyer, 200, { ExtendOrder: { order_id: id, duration: 4 * 600 } })
    expect(await find(id)).toMatchObject({ duration: 2400, locked_funds: 400 })
    await pay(buyer, 500, {
      update_order: { order_id: id, new_order_id: next, cpu: 2, memory: 2, disk: 40, duration: 2400 },
    })
    expect(await find(id)).toMatchObject({ status: 'Expired', replaced_by: next })
    expect(await find(next)).toMatchObject({ status: 'Active', locked_funds: 500 })
    expect(await tokensOf(buyer.address)).toBe(1000 - 400 - 500 + 300)
  })

  it('expires when its blocks have passed', async () => {
    const buyer = await person(400)
    const id = orderId()
    await pay(buyer, 100, create(id, 1))
    running.advance(600)
    expect((await find(id)).status).toBe('Expired')
  })
})

describe('money that came without an order', () => {
  it('goes to the treasury when the operator asks for it, and what is locked stays', async () => {
    const buyer = await person(400)
    await pay(buyer, 70, create(orderId()))
    const before = { locked: await locked(), operator: await tokensOf(running.operator.address) }
    const transfer = { transfer: { recipient: running.orders, amount: '33' } }
    await buyer.client.execute(buyer.address, running.token, transfer, FEE)
    await buyer.client.sendTokens(buyer.address, running.orders, [{ denom: 'utide', amount: '5' }], FEE)
    const recover = { recover: { token: running.token, denom: 'utide' } }
    await expect(buyer.client.execute(buyer.address, running.orders, recover, FEE)).rejects.toThrow('Unauthorized')
    await operator.execute(running.operator.address, running.orders, recover, FEE)
    expect(await tokensOf(running.operator.address)).toBe(before.operator + 33)
    expect([await tokensOf(running.orders), await locked()]).toEqual([before.locked, before.locked])
    expect((await operator.getBalance(running.orders, 'utide')).amount).toBe('0')
  })

  it('is refused as coins with a message', async () => {
    const buyer = await person(10)
    const coins = [{ denom: 'utide', amount: '5' }]
    const free = { free_expired: {} }
    await expect(buyer.client.execute(buyer.address, running.orders, free, FEE, '', coins)).rejects.toThrow(
      'Bad request',
    )
    expect((await operator.getBalance(running.orders, 'utide')).amount).toBe('0')
  })
})

describe('money', () => {
  it('is neither created nor lost, whatever is executed and refused', { tags: ['long'] }, async () => {
    const people = await Promise.all([0, 0, 0].map(() => null)).then(async (empty) => {
      const made: Person[] = []
      for (const _ of empty) made.push(await person(1000))
      return made
    })
    const supply = Number((await operator.queryContractSmart(running.token, { token_info: {} })).total_supply)
    const known: string[] = []
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    for (let step = 0; step < 60; step++) {
      const who = people[random(people.length)] as Person
      const id = known[random(known.length + 1)] ?? orderId()
      const what = random(5)
      const attempt =
        what === 0
          ? pay(who, random(1500), create(id, 1 + random(4))).then(() => known.push(id))
          : what === 1
            ? pay(who, random(300), { extend_order: { order_id: id, duration: 600 * (1 + random(6)) } })
            : what === 2
              ? pay(who, random(300), {
                  update_order: { order_id: id, new_order_id: orderId(), cpu: 1, memory: 1, disk: 40, duration: 600 },
                })
              : what === 3
                ? operator.execute(running.operator.address, running.orders, { release_order: { order_id: id } }, FEE)
                : Promise.resolve(running.advance(random(700)))
      await attempt.catch(() => {})
      const { accounts } = await operator.queryContractSmart(running.token, { all_accounts: { limit: 30 } })
      const balances = await Promise.all((accounts as string[]).map(tokensOf))
      expect(balances.reduce((sum, each) => sum + each, 0)).toBe(supply)
      expect(await tokensOf(running.orders)).toBe(await locked())
    }
  })
})

describe('the chain', () => {
  it('is the same after it was stopped and started', async () => {
    const buyer = await person(400)
    const id = orderId()
    const { transactionHash } = await pay(buyer, 70, create(id))
    const before = {
      order: await find(id),
      tokens: await tokensOf(buyer.address),
      account: await operator.getAccount(buyer.address),
    }
    await running.stop()
    running = await runChain({ ...config, port: Number(new URL(running.url).port) })
    operator = await clientOf(await operatorSigner())
    expect({
      order: await find(id),
      tokens: await tokensOf(buyer.address),
      account: await operator.getAccount(buyer.address),
    }).toEqual(before)
    expect((await operator.getTx(transactionHash))?.code).toBe(0)
  })

  it('has a second token, which points are redeemed for', async () => {
    const { address } = await person(0)
    const ask = (question: object) => operator.queryContractSmart(running.rewards, question)
    expect(await ask({ token_info: {} })).toMatchObject({ symbol: 'TTNT', decimals: 2 })
    const transfer = { transfer: { recipient: address, amount: '1000' } }
    await operator.execute(running.operator.address, running.rewards, transfer, FEE)
    expect(await ask({ balance: { address } })).toEqual({ balance: '1000' })
    expect(await tokensOf(address)).toBe(0)
  })

  it('has TNT4, which the points exchange takes, with six decimals', async () => {
    const { address } = await person(0)
    const ask = (question: object) => operator.queryContractSmart(running.tnt4, question)
    expect(await ask({ token_info: {} })).toMatchObject({ symbol: 'TNT4', decimals: 6 })
    const transfer = { transfer: { recipient: address, amount: '3690945' } }
    await operator.execute(running.operator.address, running.tnt4, transfer, FEE)
    expect(await ask({ balance: { address } })).toEqual({ balance: '3690945' })
  })

  it('continues without these tokens if it was created without them', async () => {
    const older = mkdtempSync(join(tmpdir(), 'tidenet-older-chain-'))
    const there = { ...config, data: older, port: 0 }
    await (await runChain(there)).stop()
    const file = join(older, 'blocks.jsonl')
    const [first = '', ...blocks] = readFileSync(file, 'utf8').split('\n')
    const { rewards: _, tnt4: __, ...genesis } = JSON.parse(first)
    writeFileSync(file, [JSON.stringify(genesis), ...blocks].join('\n'))
    const again = await runChain(there)
    const client = await CosmWasmClient.connect(again.url)
    expect([again.rewards, again.tnt4]).toEqual(['', ''])
    expect(await client.queryContractSmart(again.token, { token_info: {} })).toMatchObject({ symbol: 'cTNT' })
    await expect(client.queryContractSmart(running.rewards, { token_info: {} })).rejects.toThrow()
    client.disconnect()
    await again.stop()
    rmSync(older, { recursive: true, force: true })
  })

  it('counts gas and charges the fee for it', async () => {
    const buyer = await person(10)
    const message = { transfer: { recipient: running.operator.address, amount: '1' } }
    const { gasUsed } = await buyer.client.execute(buyer.address, running.token, message, 'auto')
    expect(gasUsed).toBeGreaterThan(0n)
    const left = await operator.getBalance(buyer.address, 'utide')
    expect(Number(left.amount)).toBeLessThan(100_000)
  })
})

describe('refused are', () => {
  it('more tokens than there are, which still costs the fee', async () => {
    const buyer = await person(10)
    await expect(pay(buyer, 11, create(orderId()))).rejects.toThrow('Overflow: Cannot Sub with 10 and 11')
    expect((await operator.getBalance(buyer.address, 'utide')).amount).toBe('99500')
    expect(await tokensOf(buyer.address)).toBe(10)
  })

  it('an existing order, an order of another account, an unknown one, a shorter one, and hours below the price', async () => {
    const [owner, other] = [await person(400), await person(400)]
    const id = orderId()
    await pay(owner, 70, create(id))
    await expect(pay(owner, 70, create(id))).rejects.toThrow('Already exists')
    await expect(pay(other, 70, { ExtendOrder: { order_id: id, duration: 6000 } })).rejects.toThrow('Not Found')
    await expect(pay(owner, 70, { ExtendOrder: { order_id: orderId(), duration: 6000 } })).rejects.toThrow('Not Found')
    await expect(pay(owner, 70, { ExtendOrder: { order_id: id, duration: 600 } })).rejects.toThrow('Shortened Duration')
    await expect(pay(owner, 48, { ExtendOrder: { order_id: id, duration: 2400 } })).rejects.toThrow(
      'Insufficient funds',
    )
    await expect(pay(owner, 70, { StealOrder: {} })).rejects.toThrow('unknown variant')
    await expect(
      other.client.execute(
        other.address,
        running.orders,
        { release_order: { order_id: id, payer: owner.address } },
        FEE,
      ),
    ).rejects.toThrow('Unauthorized')
    // Funds that were never transferred.
    await expect(
      other.client.execute(
        other.address,
        running.orders,
        { receive: { sender: other.address, amount: '70', msg: toBase64(toUtf8(JSON.stringify(create(orderId())))) } },
        FEE,
      ),
    ).rejects.toThrow('Unauthorized')
    expect(await tokensOf(other.address)).toBe(400)
  })

  it('hours from the wallet of an account that granted the contract no allowance, or less', async () => {
    const owner = await person(400)
    const id = orderId()
    await pay(owner, 70, create(id))
    const renew = (amount: number) =>
      operator.execute(
        running.operator.address,
        running.orders,
        { renew_order: { payer: owner.address, order_id: id, duration: 2400, amount: String(amount) } },
        FEE,
      )
    await expect(renew(70)).rejects.toThrow('No allowance')
    const allow = { increase_allowance: { spender: running.orders, amount: '69' } }
    await owner.client.execute(owner.address, running.token, allow, FEE)
    await expect(renew(70)).rejects.toThrow('Overflow')
    await owner.client.execute(owner.address, running.token, allow, FEE)
    // Nor more than the first hours cost.
    await expect(renew(71)).rejects.toThrow('Bad request')
    await renew(70)
    expect(await find(id)).toMatchObject({ initiator: owner.address, duration: 2400, locked_funds: 140 })
    expect(await tokensOf(owner.address)).toBe(260)
    // An allowance of tokens is none for orders: who sends them pays for orders of its own.
    const toOperator = { increase_allowance: { spender: running.operator.address, amount: '70' } }
    await owner.client.execute(owner.address, running.token, toOperator, FEE)
    const msg = toBase64(toUtf8(JSON.stringify({ ExtendOrder: { order_id: id, duration: 3600 } })))
    const send = { send_from: { owner: owner.address, contract: running.orders, amount: '70', msg } }
    await expect(operator.execute(running.operator.address, running.token, send, FEE)).rejects.toThrow('Not Found')
  })

  it('more gas than a block of a real chain has, also where gas costs nothing, and coins for the account of fees', async () => {
    const buyer = await person(10)
    const pay = (to: string, gas: string) =>
      buyer.client.sendTokens(buyer.address, to, [{ denom: 'utide', amount: '1' }], { ...FEE, gas })
    await expect(pay(running.operator.address, '50000001')).rejects.toThrow('exceeds block max gas')
    await pay(running.operator.address, '50000000')
    const collector = toBech32('tide', createHash('sha256').update('fee_collector').digest().subarray(0, 20))
    for (const each of [collector, collector.toUpperCase()])
      await expect(pay(each, FEE.gas)).rejects.toThrow('is not allowed to receive funds')
    const several = {
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
      value: {
        inputs: [{ address: buyer.address, coins: [{ denom: 'utide', amount: '2' }] }],
        outputs: [buyer.address, collector].map((address) => ({ address, coins: [{ denom: 'utide', amount: '1' }] })),
      },
    }
    await expect(buyer.client.signAndBroadcast(buyer.address, [several], FEE)).rejects.toThrow('is not allowed')
  })

  it('a wrong sequence, a changed signature, the same bytes again, and an unknown account', async () => {
    const buyer = await person(10)
    const { accountNumber, sequence } = await buyer.client.getSequence(buyer.address)
    const send = [
      {
        typeUrl: '/cosmos.bank.v1beta1.MsgSend',
        value: {
          fromAddress: buyer.address,
          toAddress: running.operator.address,
          amount: [{ denom: 'utide', amount: '1' }],
        },
      },
    ]
    const signed = async (at: number) =>
      buyer.client.sign(buyer.address, send, FEE, '', { accountNumber, sequence: at, chainId: config.chainId })
    const { TxRaw } = await import('cosmjs-types/cosmos/tx/v1beta1/tx')
    const bytes = (raw: Awaited<ReturnType<typeof signed>>) => TxRaw.encode(raw).finish()
    await expect(buyer.client.broadcastTxSync(bytes(await signed(sequence + 95)))).rejects.toThrow('sequence mismatch')
    const good = await signed(sequence)
    const bad = {
      ...good,
      signatures: [Uint8Array.from(good.signatures[0] as Uint8Array, (byte, at) => (at === 5 ? byte ^ 1 : byte))],
    }
    await expect(buyer.client.broadcastTxSync(bytes(bad))).rejects.toThrow('signature verification failed')
    await buyer.client.broadcastTxSync(bytes(good))
    await expect(buyer.client.broadcastTxSync(bytes(good))).rejects.toThrow('tx already exists in cache')
    const nobody = await clientOf(await DirectSecp256k1HdWallet.generate(12, { prefix: config.prefix }))
    const [account] = await (nobody as unknown as { signer: OfflineSigner }).signer.getAccounts()
    await expect(
      nobody.sendTokens(account?.address ?? '', buyer.address, [{ denom: 'utide', amount: '1' }], FEE),
    ).rejects.toThrow('does not exist on chain')
  })
})
