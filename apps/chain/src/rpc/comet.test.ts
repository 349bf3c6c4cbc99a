import { createHash } from 'node:crypto'
import { toHex } from '@cosmjs/encoding'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coins, FEE, type Person, type ServedChain, serveNewChain } from './served-chain.fixture.ts'

/** Every method of CosmJS's client for CometBFT 0.38, which checks and decodes the answers. */

let chain: ServedChain
let comet: Comet38Client
let sender: Person
/** Its block has one transaction. */
let sent: { hash: Uint8Array; height: number }
beforeAll(async () => {
  chain = await serveNewChain()
  comet = await connect()
  sender = await chain.person(1_000_000)
  const { transactionHash, height } = await sender.client.sendTokens(sender.address, sender.address, coins(1), FEE)
  sent = { hash: new Uint8Array(Buffer.from(transactionHash, 'hex')), height }
})
afterAll(async () => {
  comet?.disconnect()
  await chain?.stop()
})

const connect = () => Comet38Client.connect(chain.running.url)

/** A transfer to itself. */
async function signed(memo: string, sequence?: number): Promise<Uint8Array> {
  const { address, client } = sender
  const account = await client.getSequence(address)
  const value = { fromAddress: address, toAddress: address, amount: coins(1) }
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
  const signer = { ...account, sequence: sequence ?? account.sequence, chainId: chain.config.chainId }
  return TxRaw.encode(await client.sign(address, [message], FEE, memo, signer)).finish()
}

// biome-ignore lint/suspicious/noExplicitAny: each method has an answer of its own
async function get(path: string): Promise<{ result?: any; error?: { code: number; data: string } }> {
  return (await fetch(`${chain.running.url}/${path}`)).json()
}

/** The first event of a subscription. */
async function firstOf<T>(
  subscribe: (client: Comet38Client) => {
    addListener: (listener: { next: (event: T) => void; error: (reason: unknown) => void }) => void
  },
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T> {
  const client = await Comet38Client.connect(chain.running.url.replace('http', 'ws'))
  try {
    const event = new Promise<T>((next, error) => subscribe(client).addListener({ next, error }))
    await client.status()
    await meanwhile()
    return await event
  } finally {
    client.disconnect()
  }
}

describe('the node', () => {
  it('has a status, a state and one producer without a key, who is the only validator', async () => {
    expect(await comet.health()).toBeNull()
    const { nodeInfo, syncInfo, validatorInfo } = await comet.status()
    expect([nodeInfo.network, syncInfo.catchingUp]).toEqual([chain.config.chainId, false])
    expect((await comet.abciInfo()).lastBlockHeight).toBeGreaterThan(0)
    expect(toHex(validatorInfo.pubkey?.data ?? new Uint8Array())).toBe('00'.repeat(32))
    const { validators, total } = await comet.validators({})
    expect(total).toBe(1)
    expect(validators[0]).toMatchObject({ address: validatorInfo.address, votingPower: 1n })
    expect((await comet.validatorsAll(sent.height)).blockHeight).toBe(sent.height)
    expect((await get('net_info')).result.n_peers).toBe('0')
    expect((await get('consensus_state')).result.round_state['height/round/step']).toMatch(/^\d+\/0\/1$/)
  })

  it('has a genesis with the limits of blocks', async () => {
    const { chainId, validators, consensusParams } = await comet.genesis()
    expect([chainId, validators.length]).toEqual([chain.config.chainId, 1])
    const { result } = await get('consensus_params')
    expect(result.consensus_params.block.max_bytes).toBe(String(consensusParams.block?.maxBytes))
    const { data } = (await get('genesis_chunked?chunk=0')).result
    expect(JSON.parse(Buffer.from(data, 'base64').toString()).chain_id).toBe(chainId)
  })
})

describe('a block', () => {
  it('is found by its height and its hash, with its header, results and commit', async () => {
    // The commit of the last block is not canonical yet.
    chain.running.advance(1)
    const { block, blockId } = await comet.block(sent.height)
    expect(block.txs.map((bytes) => createHash('sha256').update(bytes).digest('hex'))).toEqual([toHex(sent.hash)])
    expect((await comet.blockResults(sent.height)).results.map(({ code }) => code)).toEqual([0])
    const { header, commit, canonical } = await comet.commit(sent.height)
    expect(header).toEqual(block.header)
    expect([commit.blockId, commit.signatures, canonical]).toEqual([blockId, [], true])
    const hash = `0x${toHex(blockId.hash)}`
    const byHash = (await get(`block_by_hash?hash=${hash}`)).result
    expect(byHash).toEqual((await get(`block?height=${sent.height}`)).result)
    expect((await get(`header?height=${sent.height}`)).result.header).toEqual(byHash.block.header)
    expect((await get(`header_by_hash?hash=${hash}`)).result.header).toEqual(byHash.block.header)
  })

  it('follows the one before it', async () => {
    const { block } = await comet.block()
    const { height, lastBlockId } = block.header
    const before = (await get(`block_by_hash?hash=0x${toHex(lastBlockId?.hash ?? new Uint8Array())}`)).result
    expect(Number(before.block.header.height)).toBe(height - 1)
  })

  it('is listed, the newest first, at most 20 at once', async () => {
    chain.running.advance(50)
    const { lastHeight, blockMetas } = await comet.blockchain()
    expect(blockMetas.map(({ header }) => header.height)).toEqual(
      Array.from({ length: 20 }, (_, at) => lastHeight - at),
    )
    const one = await comet.blockchain(sent.height, sent.height)
    expect(one.blockMetas.map(({ header, numTxs }) => [header.height, numTxs])).toEqual([[sent.height, 1]])
    expect((await comet.blockchain(1, 30)).blockMetas.map(({ header }) => header.height)).toEqual(
      Array.from({ length: 20 }, (_, at) => 30 - at),
    )
  })

  it('is found by a range of heights', async () => {
    const { totalCount, blocks } = await comet.blockSearch({
      query: 'block.height >= 3 AND block.height < 8',
      per_page: 2,
    })
    expect([totalCount, blocks.map(({ block }) => block.header.height)]).toEqual([5, [6, 7]])
    const all = await comet.blockSearchAll({ query: 'block.height >= 3 AND block.height < 8', per_page: 2 })
    expect(all.blocks.map(({ block }) => block.header.height)).toEqual([3, 4, 5, 6, 7])
    expect((await comet.blockSearch({ query: "rewards.validator='x'" })).totalCount).toBe(0)
  })
})

describe('a transaction', () => {
  it('is found by its hash and by its events, in pages', async () => {
    const { result, height } = await comet.tx({ hash: sent.hash })
    expect([result.code, height]).toEqual([0, sent.height])
    const query = `message.sender='${sender.address}'`
    const first = await comet.txSearch({ query, per_page: 1, order_by: 'desc' })
    const all = await comet.txSearchAll({ query, per_page: 1 })
    expect(first.txs).toEqual([all.txs.at(-1)])
    expect(all.txs.length).toBe(first.totalCount)
  })

  it('is checked without being sent', async () => {
    const tx = Buffer.from(await signed('checked')).toString('hex')
    expect((await get(`check_tx?tx=0x${tx}`)).result.code).toBe(0)
    expect((await comet.numUnconfirmedTxs()).total).toBe(0)
  })

  it('waits for a block, where others see it', async () => {
    chain.running.chain.hold(true)
    const tx = await signed('waiting')
    expect((await comet.broadcastTxSync({ tx })).code).toBe(0)
    expect(await comet.numUnconfirmedTxs()).toEqual({ total: 1, totalBytes: tx.length })
    expect((await get('unconfirmed_txs?limit=5')).result.txs).toEqual([Buffer.from(tx).toString('base64')])
    const { hash } = await comet.broadcastTxAsync({ tx: await signed('second', (await nextSequence()) + 1) })
    chain.running.chain.hold(false)
    await expect
      .poll(() =>
        comet.tx({ hash }).then(
          ({ result }) => result.code,
          () => -1,
        ),
      )
      .toBe(0)
  })

  it('is sent, and answered when it is in a block', async () => {
    const { checkTx, txResult, height, hash } = await comet.broadcastTxCommit({ tx: await signed('commit') })
    expect([checkTx.code, txResult?.code]).toEqual([0, 0])
    expect((await comet.tx({ hash })).height).toBe(height)
  })

  it('that does not pass the checks is answered at once, without a height', async () => {
    const answer = await comet.broadcastTxCommit({ tx: await signed('late', 999) })
    expect([answer.checkTx.code, answer.height]).toEqual([32, 0])
  })

  it('that is in no block in time is a time-out, and stays pending', async () => {
    chain.running.chain.hold(true)
    const tx = await signed('held')
    await expect(comet.broadcastTxCommit({ tx })).rejects.toThrow('timed out waiting for tx to be included in a block')
    expect((await comet.numUnconfirmedTxs()).total).toBe(1)
    chain.running.chain.hold(false)
    await expect.poll(async () => (await comet.numUnconfirmedTxs()).total).toBe(0)
  }, 20_000)
})

const nextSequence = async () => (await sender.client.getSequence(sender.address)).sequence

describe('a subscription', () => {
  it('gets blocks, and their headers', async () => {
    const block = await firstOf((client) => client.subscribeNewBlock())
    const header = await firstOf((client) => client.subscribeNewBlockHeader())
    expect(header.height).toBeGreaterThan(block.header.height)
    expect(header.chainId).toBe(chain.config.chainId)
  })

  it('gets transactions that meet its conditions', async () => {
    const other = await chain.person(10_000)
    const { hash } = await firstOf(
      (client) => client.subscribeTx(`message.sender='${other.address}'`),
      async () => {
        await sender.client.sendTokens(sender.address, other.address, coins(1), FEE)
        await other.client.sendTokens(other.address, sender.address, coins(1), FEE)
      },
    )
    const [own] = await other.client.searchTx(`message.sender='${other.address}'`)
    expect(toHex(hash).toUpperCase()).toBe(own?.hash)
  })
})

describe('refused are', () => {
  const refusal = async (path: string) => (await get(path)).error?.code

  it('heights without a block, ranges without heights, pages without entries, and unknown orders', async () => {
    await expect(comet.block(10 ** 9)).rejects.toThrow('less than or equal')
    for (const path of [
      'block?height=0',
      'header?height=-1',
      'commit?height=1000000000',
      'validators?page=2',
      'blockchain?minHeight=9&maxHeight=3',
      'blockchain?minHeight=-1',
      'block_search?query="block.height=1"&page=2',
      'block_search?query="block.height=1"&order_by="up"',
      'tx_search?query="tx.height=1"&order_by="up"',
      'tx_search?query="tx.height"',
      'genesis_chunked?chunk=1',
      `tx?hash=0x${'00'.repeat(32)}`,
    ])
      expect([path, await refusal(path)]).toEqual([path, -32603])
    expect(await refusal('block?height=high')).toBe(-32602)
  })

  it('hashes of no block, as an answer without a block', async () => {
    const hash = `0x${'00'.repeat(32)}`
    expect((await get(`block_by_hash?hash=${hash}`)).result.block).toBeNull()
    expect((await get(`header_by_hash?hash=${hash}`)).result.header).toBeNull()
  })

  it('the same transaction twice, and subscriptions without a query', async () => {
    const tx = await signed('twice')
    await comet.broadcastTxSync({ tx })
    await expect(comet.broadcastTxCommit({ tx })).rejects.toThrow('tx already exists in cache')
    await expect(firstOf((client) => client.subscribeTx('tx.height >'))).rejects.toThrow('failed to parse query')
  })
})
