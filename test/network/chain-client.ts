import { createHash, randomBytes } from 'node:crypto'
import {
  ChainRefusal,
  ChainUnreachable,
  createChainPort,
  createFees,
  createOperator,
  createOrder,
  extendOrder,
  factsOf,
  found,
  type Intent,
  type OrderMessage,
  payment,
  problemOf,
  problemOfResult,
  renewOrder,
  updateOrder,
  verifyPayment,
} from '@tidenet/chain-client'
import { beforeAll, describe, expect, it } from 'vitest'

/** A chain with the contracts of this repository. */
export interface ConformingChain {
  url: string
  id: string
  /** Addresses of the contracts. */
  token: string
  orders: string
  /** Of the operator, who owns tokens and coins: 32 bytes. */
  key: Uint8Array
  /** The least gas price of the node, in `utide`; 0 if there is none. */
  gasPrice: number
  /** Lets this much time pass, in ms; undefined if the clock of the chain is the real one. */
  pass?: (ms: number) => Promise<void>
}

const [PREFIX, DENOM] = ['tide', 'utide']
const RESOURCES = { cpu: 1, memory: 1, disk: 40 }
const COINS = 2_000_000n
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const newId = () => randomBytes(8).toString('hex')

/**
 * The conformance suite of the chain client: what the server and the portal rely on, by operation of `ChainPort` and by promise. It runs on
 * the development chain and on wasmd.
 */
export function describeChainClient(name: string, chainOf: () => ConformingChain): void {
  const port = () => createChainPort({ urls: [chainOf().url], chainId: chainOf().id })
  const signer = (privateKey: Uint8Array) =>
    createOperator({ port: port(), privateKey, chainId: chainOf().id, prefix: PREFIX, denom: DENOM })
  const operator = () => signer(chainOf().key)

  /** A payer with coins and tokens. */
  async function payer(tokens = 1000) {
    const own = signer(randomBytes(32))
    const transfer = { transfer: { recipient: own.address, amount: String(tokens) } }
    await operator().execute([
      { coins: [{ to: own.address, amount: COINS }] },
      ...(tokens > 0 ? [{ execute: { contract: chainOf().token, msg: transfer } }] : []),
    ])
    const call = (contract: string, msg: object) => own.execute([{ execute: { contract, msg } }])
    return {
      ...own,
      call,
      pay: (amount: bigint, message: OrderMessage) => call(chainOf().token, payment(chainOf().orders, amount, message)),
      balance: async () =>
        BigInt(
          (await port().query<{ balance: string }>(chainOf().token, { balance: { address: own.address } })).balance,
        ),
    }
  }
  type Payer = Awaited<ReturnType<typeof payer>>

  interface Listed {
    id: string
    initiator: string
    duration: number
    locked: string
    status: string
    released?: { refund: string }
    replaced_by?: string
  }
  const ordersOf = (keys: { payer: string; order_id: string }[]) =>
    port().query<Listed[]>(chainOf().orders, { orders_by_key: { keys } })
  const orderOf = async ({ address }: Payer, order_id: string) => (await ordersOf([{ payer: address, order_id }]))[0]
  const asOperator = (msg: object) => operator().execute([{ execute: { contract: chainOf().orders, msg } }])
  const refusalOf = async (work: Promise<unknown>): Promise<ChainRefusal> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ChainRefusal)
    return error as ChainRefusal
  }

  describe(`the chain client on ${name}: state`, () => {
    it('knows height and time, and blocks with their transactions', async () => {
      const { height, time } = await port().status()
      expect(height).toBeGreaterThan(0)
      expect(Number.isNaN(time.getTime())).toBe(false)
      const tx = await operator().execute([{ coins: [{ to: operator().address, amount: 1n }] }])
      const block = await port().block(tx.height)
      expect(block).toMatchObject({ height: tx.height, transactions: [tx.hash] })
      expect(block?.hash).toMatch(/^[0-9A-F]{64}$/)
      expect(block?.proposer).toMatch(/^[0-9A-F]{40}$/)
      expect(await port().block(tx.height + 100_000)).toBeUndefined()
    })

    it('knows accounts, and which were never used', async () => {
      const own = await payer(0)
      expect(await port().account(own.address)).toMatchObject({ sequence: 0 })
      await own.execute([{ coins: [{ to: own.address, amount: 1n }] }])
      expect(await port().account(own.address)).toMatchObject({ sequence: 1 })
      expect(await port().account(signer(randomBytes(32)).address)).toBeUndefined()
      expect((await port().account(operator().address))?.sequence).toBeGreaterThan(1)
    })

    it('knows balances of coins and tokens, 0 where there are none', async () => {
      const own = await payer(400)
      expect(await port().balance(own.address, DENOM)).toBe(COINS)
      expect(await port().balance(own.address, 'uother')).toBe(0n)
      expect(await own.balance()).toBe(400n)
      expect(await (await payer(0)).balance()).toBe(0n)
    })

    it('refuses questions that a contract does not answer, and contracts that are not there', async () => {
      await refusalOf(port().query(chainOf().token, { nothing: {} }))
      await refusalOf(port().query(operator().address, { token_info: {} }))
      await refusalOf(port().query('tide1', { token_info: {} }))
    })
  })

  describe(`the chain client on ${name}: transactions`, () => {
    it('finds them by hash, and none that no block has', async () => {
      const tx = await operator().execute([{ coins: [{ to: operator().address, amount: 1n }] }])
      expect(await port().tx(tx.hash)).toMatchObject({ hash: tx.hash, height: tx.height, code: 0 })
      expect(sha256(tx.bytes).toUpperCase()).toBe(tx.hash)
      expect(await port().tx('00'.repeat(32))).toBeUndefined()
    })

    it('searches them by events, and pages from the latest on', async () => {
      const own = await payer()
      const [id, other] = [newId(), newId()]
      const hashes = [await own.pay(70n, createOrder(id, RESOURCES, 2)), await own.pay(70n, extendOrder(id, 4))].map(
        ({ hash }) => hash,
      )
      await own.pay(70n, createOrder(other, RESOURCES, 2))
      const indexed = async (query: string, count: number) => {
        // A node indexes a block after it answers for it.
        for (let attempt = 0; attempt < 50; attempt++) {
          const list = await port().search(query)
          if (list.length >= count) return list.map(({ hash }) => hash)
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        throw new Error(`${query} finds less than ${count}`)
      }
      expect(await indexed(`wasm.order_id='${id}'`, 2)).toEqual(hashes)
      // Others may have orders of the same id.
      expect(await indexed(`wasm.order_id='${id}' AND wasm.initiator='${own.address}'`, 1)).toEqual(hashes.slice(0, 1))
      expect(await indexed(`wasm.order_id='${id}' AND wasm.payer='${own.address}'`, 1)).toEqual(hashes.slice(1))
      expect(await port().search(`wasm.order_id='${id}' AND wasm.payer='${operator().address}'`)).toEqual([])
      expect(await port().search(`wasm.order_id='${newId()}'`)).toEqual([])
      const first = await port().page(`wasm.order_id='${id}'`, 1, 1)
      expect(first).toMatchObject({ total: 2, list: [{ hash: hashes[1] }] })
      expect((await port().page(`wasm.order_id='${id}'`, 2, 1)).list[0]?.hash).toBe(hashes[0])
      expect((await port().page(`wasm.order_id='${id}'`, 9, 1)).list).toEqual([])
      await expect(port().search("wasm.order_id='")).rejects.toThrow()
    })

    it('simulates what they will use, and offers the gas price of the node', async () => {
      const fees = createFees({ port: port(), denom: DENOM })
      const price = await port().gasPrice(DENOM)
      if (chainOf().gasPrice > 0) expect(price).toBe(chainOf().gasPrice)
      else expect(price ?? 0).toBe(0)
      expect(await port().gasPrice('uother')).toBeUndefined()
      const own = await payer()
      for (const tx of [
        await own.execute([{ coins: [{ to: own.address, amount: 1n }] }]),
        await own.pay(70n, createOrder(newId(), RESOURCES, 2)),
        await own.call(chainOf().token, { increase_allowance: { spender: chainOf().orders, amount: '70' } }),
        await operator().execute([{ coins: Array.from({ length: 20 }, () => ({ to: own.address, amount: 1n })) }]),
      ]) {
        const facts = factsOf(tx.bytes, chainOf())
        const [gas, used] = [Number(facts?.gas), tx.gasUsed ?? 0]
        // The fee is for what is used, and a bit more: not three to twelve times as much.
        expect(gas).toBeGreaterThanOrEqual(used)
        expect(gas).toBeLessThan(used * 1.5)
        expect(Number(facts?.fee[0]?.units)).toBe(Math.ceil(gas * (await fees.price())))
      }
    })

    it('are accepted once; the same bytes are known then', async () => {
      const signed = await operator().submit([{ coins: [{ to: operator().address, amount: 1n }] }])
      const again = await port()
        .broadcast(signed.bytes)
        .catch((error: unknown) => error)
      // A node that has included it in a block already may say that its sequence is used.
      if (again instanceof ChainRefusal) expect(problemOf(again)).toBe('sequence')
      else expect(again).toEqual({ hash: signed.hash, known: true })
      expect(await found(port(), signed.hash)).toMatchObject({ code: 0 })
    })

    it('of several programs with one key are all included, each once', async () => {
      const own = await payer(0)
      const signers = [operator(), operator(), operator()]
      const coins = [{ coins: [{ to: own.address, amount: 1n }] }]
      const done = await Promise.all(
        Array.from({ length: 9 }, (_, index) => (signers[index % 3] as typeof own).execute(coins)),
      )
      expect(new Set(done.map(({ hash }) => hash)).size).toBe(9)
      expect(await port().balance(own.address, DENOM)).toBe(COINS + 9n)
    })

    it('are recorded before they are sent, or not sent', async () => {
      const own = await payer(0)
      const written: string[] = []
      const coins = [{ coins: [{ to: own.address, amount: 5n }] }]
      const onSigned = async () => {
        throw new Error('the disk is full')
      }
      await expect(operator().submit(coins, { onSigned })).rejects.toThrow('the disk is full')
      const { hash } = await operator().execute(coins, {
        onSigned: async (signed) => void written.push(signed.hash),
      })
      expect(written.at(-1)).toBe(hash)
      expect(await port().balance(own.address, DENOM)).toBe(COINS + 5n)
    })

    it('are refused with the reason: bytes that are none, another sequence, a wrong signature, no coins, too late', async () => {
      await refusalOf(port().broadcast(randomBytes(64)))
      const own = await payer(0)
      // Signed, and held back while another one takes its sequence.
      const held: Uint8Array[] = []
      const onSigned = async ({ bytes }: { bytes: Uint8Array }) => {
        held.push(bytes)
        throw new Error('held back')
      }
      const coins = [{ coins: [{ to: own.address, amount: 1n }] }]
      await own.submit(coins, { onSigned }).catch(() => {})
      const [bytes = new Uint8Array()] = held
      const forged = bytes.slice()
      forged[forged.length - 5] = (forged[forged.length - 5] ?? 0) ^ 1
      expect(problemOf(await refusalOf(port().broadcast(forged)))).toBe('signature')
      await own.execute(coins)
      const late = await refusalOf(port().broadcast(bytes))
      expect(problemOf(late)).toBe('sequence')
      // The signer goes on with the sequence that the refusal names.
      expect(late.message).toMatch(/expected 1\b/)
      const poor = signer(randomBytes(32))
      expect(problemOf(await refusalOf(poor.execute(coins)))).toBe('noGasAccount')
      await refusalOf(own.execute([{ coins: [{ to: own.address, amount: 10n ** 15n }] }]))
    })

    it('of another chain, and of one that does not answer, are not asked about', async () => {
      const { url, id } = chainOf()
      await expect(createChainPort({ urls: [url], chainId: 'other-1' }).status()).rejects.toThrow(ChainUnreachable)
      const away = 'http://127.0.0.1:9'
      await expect(createChainPort({ urls: [away], chainId: id }).status()).rejects.toThrow(ChainUnreachable)
      expect((await createChainPort({ urls: [away, url], chainId: id }).status()).height).toBeGreaterThan(0)
    })
  })

  describe(`the chain client on ${name}: orders`, () => {
    it('are paid, extended, upgraded and ended, with what is left paid back', async () => {
      const own = await payer(1000)
      const [id, next] = [newId(), newId()]
      await own.pay(100n, createOrder(id, RESOURCES, 10))
      expect(await orderOf(own, id)).toMatchObject({ initiator: own.address, duration: 6000, locked: '100' })
      await own.pay(100n, extendOrder(id, 20))
      expect(await orderOf(own, id)).toMatchObject({ duration: 12_000, locked: '200' })
      await own.pay(400n, updateOrder(id, next, { ...RESOURCES, cpu: 2 }, 20))
      expect(await orderOf(own, id)).toMatchObject({ locked: '0', replaced_by: next })
      // Of the first order, one hour had begun.
      expect(await own.balance()).toBe(1000n - 600n + 190n)
      await asOperator({ release_order: { order_id: next, payer: own.address } })
      expect(await orderOf(own, next)).toMatchObject({ locked: '0', released: { refund: '380' } })
      expect(await own.balance()).toBe(970n)
    })

    it('go back as a whole if nothing was delivered, and can be renewed from an allowance', async () => {
      const own = await payer(1000)
      const [id, rejected] = [newId(), newId()]
      await own.pay(70n, createOrder(rejected, RESOURCES, 2))
      await asOperator({ release_order: { order_id: rejected, payer: own.address, whole: true } })
      expect(await own.balance()).toBe(1000n)
      await own.pay(70n, createOrder(id, RESOURCES, 2))
      const renew = () => asOperator(renewOrder(id, own.address, 4, 70n))
      await refusalOf(renew())
      await own.call(chainOf().token, { increase_allowance: { spender: chainOf().orders, amount: '70' } })
      await renew()
      expect(await orderOf(own, id)).toMatchObject({ duration: 2400, locked: '140' })
      await refusalOf(asOperator(renewOrder(id, own.address, 6, 70n)))
      expect(await own.balance()).toBe(1000n - 140n)
    })

    it('of two payers may have one id', async () => {
      const [own, other, id] = [await payer(), await payer(), newId()]
      await own.pay(70n, createOrder(id, RESOURCES, 2))
      await other.pay(35n, createOrder(id, RESOURCES, 1))
      const keys = [own, other].map(({ address }) => ({ payer: address, order_id: id }))
      expect((await ordersOf(keys)).map(({ locked }) => locked)).toEqual(['70', '35'])
      const all = await port().query<Listed[]>(chainOf().orders, { orders: { order_ids: [id] } })
      expect(all.map(({ initiator }) => initiator)).toEqual([own.address, other.address])
      await refusalOf(asOperator({ release_order: { order_id: id } }))
    })

    it('give back their capacity when their time is over, to anybody who asks', async ({ skip }) => {
      const { pass } = chainOf()
      if (!pass) return skip('the clock of this chain is the real one')
      const [own, stranger] = [await payer(), await payer(0)]
      const escrow = () => port().query<object>(chainOf().orders, { escrow: {} })
      await stranger.call(chainOf().orders, { free_expired: { limit: 100 } })
      const before = await escrow()
      const id = newId()
      await own.pay(70n, createOrder(id, RESOURCES, 1))
      await stranger.call(chainOf().orders, { free_expired: {} })
      expect(await escrow()).not.toEqual(before)
      await pass(3_600_000)
      await stranger.call(chainOf().orders, { free_expired: {} })
      expect(await orderOf(own, id)).toMatchObject({ locked: '70' })
      await asOperator({ release_order: { order_id: id, payer: own.address } })
      expect(await own.balance()).toBe(930n)
    })

    const refused: [problem: string, work: (own: Payer) => Promise<unknown>][] = [
      ['tokenFunds', (own) => own.pay(10_000n, createOrder(newId(), RESOURCES, 2))],
      [
        'capacity',
        async (own) => {
          await asOperator({ update_config: { capacity: { cpu: 1000, memory: 4000, disk: 100_000 } } })
          await own.pay(70n, createOrder(newId(), { ...RESOURCES, cpu: 1001 }, 2))
        },
      ],
      ['tooLong', (own) => own.pay(70n, createOrder(newId(), RESOURCES, 721))],
      ['orderUnknown', (own) => own.pay(70n, extendOrder(newId(), 2))],
      ['notOwner', (own) => own.call(chainOf().orders, { update_config: { treasury: own.address } })],
      [
        'orderExists',
        async (own) => {
          const id = newId()
          await own.pay(70n, createOrder(id, RESOURCES, 2))
          await own.pay(70n, createOrder(id, RESOURCES, 2))
        },
      ],
      [
        'shortened',
        async (own) => {
          const id = newId()
          await own.pay(70n, createOrder(id, RESOURCES, 2))
          await own.pay(70n, extendOrder(id, 1))
        },
      ],
      [
        'wrongAmount',
        async (own) => {
          const id = newId()
          await own.pay(70n, createOrder(id, RESOURCES, 2))
          await own.pay(1n, extendOrder(id, 4))
        },
      ],
    ]
    for (const [problem, work] of refused)
      it(`are refused: ${problem}`, async () => {
        const refusal = await refusalOf(work(await payer()))
        expect(refusal).toMatchObject({ codespace: 'wasm', code: 5 })
        expect(problemOfResult({ codespace: 'wasm', code: 5, log: refusal.message })).toBe(problem)
      })
  })

  describe(`the chain client on ${name}: payments`, () => {
    let own: Payer
    let wanted: Intent
    beforeAll(async () => {
      own = await payer(5000)
      wanted = { payer: own.address, amount: 70n, message: createOrder('wanted', RESOURCES, 2), fromHeight: 0 }
    })
    const verdict = async (work: Promise<{ hash: string }>, intent: Intent) => {
      const tx = await port().tx((await work).hash)
      if (!tx) throw new Error('no block holds it')
      return verifyPayment(tx, intent, chainOf(), sha256)
    }

    it('are confirmed if the right wallet sent the exact amount', async () => {
      const message = createOrder(newId(), RESOURCES, 2)
      expect(await verdict(own.pay(70n, message), { ...wanted, message })).toEqual({ state: 'paid' })
    })

    it.each<[string, bigint, OrderMessage]>([
      ['less money', 69n, createOrder(newId(), RESOURCES, 2)],
      ['another order', 70n, createOrder(newId(), RESOURCES, 2)],
      ['a bigger machine', 70n, createOrder(newId(), { ...RESOURCES, cpu: 32 }, 2)],
      ['a longer time', 70n, createOrder(newId(), RESOURCES, 720)],
    ])('are none with %s', async (_what, amount, message) => {
      expect(await verdict(own.pay(amount, message), wanted)).toMatchObject({ state: 'mismatch' })
    })

    it('are none from another wallet, from before the order, or two in one transaction', async () => {
      const other = await payer()
      const message = createOrder(newId(), RESOURCES, 2)
      const theirs = other.pay(70n, message)
      expect(await verdict(theirs, { ...wanted, message })).toMatchObject({ state: 'mismatch', reason: 'payer' })
      const early = await own.pay(70n, message)
      const later = { ...wanted, message, fromHeight: early.height + 1 }
      expect(await verdict(Promise.resolve(early), later)).toMatchObject({ state: 'mismatch', reason: 'height' })
      const two = [newId(), newId()].map((id) => ({
        execute: { contract: chainOf().token, msg: payment(chainOf().orders, 70n, createOrder(id, RESOURCES, 2)) },
      }))
      expect(await verdict(own.execute(two), wanted)).toMatchObject({ state: 'foreign', reason: 'messages' })
      const plain = own.call(chainOf().token, { transfer: { recipient: chainOf().orders, amount: '70' } })
      expect(await verdict(plain, wanted)).toMatchObject({ state: 'foreign', reason: 'send' })
    })
  })
}
