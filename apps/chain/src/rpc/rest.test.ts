import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { toBase64, toUtf8 } from '@cosmjs/encoding'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coins, FEE, type Person, type ServedChain, serveNewChain } from './served-chain.fixture.ts'

/** JSON as the gRPC gateway of Cosmos SDK 0.53 and wasmd 0.61 writes it. */

let chain: ServedChain
let owner: Person
/** A transfer, then a call of a contract. */
let sent: { transactionHash: string; height: number }[]
beforeAll(async () => {
  chain = await serveNewChain()
  owner = await chain.person(100_000)
  const call = { transfer: { recipient: owner.address, amount: '5' } }
  sent = [
    await owner.client.sendTokens(owner.address, owner.address, coins(1), FEE),
    await chain.operator.client.execute(chain.operator.address, chain.running.token, call, FEE),
  ]
})
afterAll(async () => {
  await chain?.stop()
})

async function request(path: string, body?: object) {
  const answer = await fetch(`${chain.running.url}/rest${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: answer.status, json: await answer.json() }
}
const get = async (path: string) => (await request(path)).json

describe('coins', () => {
  it('of an account, and all of them', async () => {
    const { balances, pagination } = await get(`/cosmos/bank/v1beta1/balances/${owner.address}`)
    expect([balances.length, balances[0].denom, pagination]).toEqual([1, 'utide', { next_key: null, total: '1' }])
    const byDenom = await get(`/cosmos/bank/v1beta1/balances/${owner.address}/by_denom?denom=utide`)
    expect(byDenom).toEqual({ balance: balances[0] })
    expect((await get(`/cosmos/bank/v1beta1/spendable_balances/${owner.address}`)).balances).toEqual(balances)
    const { supply } = await get('/cosmos/bank/v1beta1/supply')
    expect(supply).toEqual([{ denom: 'utide', amount: chain.running.chain.genesis.coins }])
    expect(await get('/cosmos/bank/v1beta1/supply/by_denom?denom=utide')).toEqual({ amount: supply[0] })
    expect((await get('/cosmos/bank/v1beta1/denoms_metadata/utide')).metadata.denom_units[1].exponent).toBe(6)
  })
})

describe('accounts', () => {
  it('have a number, a sequence and a key, which is null before it is known', async () => {
    const { account } = await get(`/cosmos/auth/v1beta1/accounts/${owner.address}`)
    expect(account).toEqual({
      '@type': '/cosmos.auth.v1beta1.BaseAccount',
      address: owner.address,
      pub_key: { '@type': '/cosmos.crypto.secp256k1.PubKey', key: expect.stringMatching(/^[\w+/]{44}$/) },
      account_number: expect.stringMatching(/^\d+$/),
      sequence: '1',
    })
    const other = await chain.person(0)
    await owner.client.sendTokens(owner.address, other.address, coins(1), FEE)
    expect((await get(`/cosmos/auth/v1beta1/accounts/${other.address}`)).account.pub_key).toBeNull()
    expect((await get('/cosmos/auth/v1beta1/params')).params.max_memo_characters).toBe('256')
  })

  it('are listed in pages, by offset or by key', async () => {
    const path = '/cosmos/auth/v1beta1/accounts?pagination.limit=1'
    const first = await get(`${path}&pagination.count_total=true`)
    expect([first.accounts.length, Number(first.pagination.total) > 1]).toEqual([1, true])
    const second = await get(`${path}&pagination.key=${encodeURIComponent(first.pagination.next_key)}`)
    expect(await get(`${path}&pagination.offset=1`)).toMatchObject({ accounts: second.accounts })
    const last = await get(`${path}&pagination.reverse=true`)
    expect([first, second].flatMap(({ accounts }) => accounts)).not.toContainEqual(last.accounts)
  })
})

describe('transactions', () => {
  it('are found by hash, with the message to a contract as JSON', async () => {
    const { tx, tx_response } = await get(`/cosmos/tx/v1beta1/txs/${sent[1]?.transactionHash}`)
    expect(tx.body.messages).toEqual([
      {
        '@type': '/cosmwasm.wasm.v1.MsgExecuteContract',
        sender: chain.operator.address,
        contract: chain.running.token,
        msg: { transfer: { recipient: owner.address, amount: '5' } },
        funds: [],
      },
    ])
    expect(tx.auth_info.fee).toMatchObject({ amount: FEE.amount, gas_limit: FEE.gas })
    expect(tx.auth_info.signer_infos[0].mode_info.single.mode).toBe('SIGN_MODE_DIRECT')
    expect(tx_response).toMatchObject({
      height: String(sent[1]?.height),
      code: 0,
      tx: { '@type': '/cosmos.tx.v1beta1.Tx', ...tx },
    })
    expect(tx_response.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  it('are found by their events, in both ways in which clients ask', async () => {
    const hashes = async (search: string) =>
      (await get(`/cosmos/tx/v1beta1/txs?${search}`)).tx_responses.map(({ txhash }: { txhash: string }) => txhash)
    const sender = `message.sender='${owner.address}'`
    const query = encodeURIComponent(`${sender} AND message.action='/cosmos.bank.v1beta1.MsgSend'`)
    const found = await hashes(`query=${query}`)
    expect(found[0]).toBe(sent[0]?.transactionHash)
    expect(await hashes(`query=${query}&order_by=ORDER_BY_DESC`)).toEqual(found.toReversed())
    expect(await hashes(`query=${query}&order_by=2&limit=1&page=1`)).toEqual([found.at(-1)])
    const height = encodeURIComponent(`tx.height=${sent[0]?.height}`)
    expect(await hashes(`events=${encodeURIComponent(sender)}&events=${height}`)).toEqual([sent[0]?.transactionHash])
    expect(await hashes(`events=${encodeURIComponent(sender)}&pagination.limit=1&pagination.offset=1`)).toEqual([
      found[1],
    ])
  })

  it('are simulated and sent', async () => {
    const { address, client } = owner
    const account = { ...(await client.getSequence(address)), chainId: chain.config.chainId }
    const message = {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: { fromAddress: address, toAddress: address, amount: coins(1) },
    }
    const bytes = TxRaw.encode(await client.sign(address, [message], FEE, '', account)).finish()
    const tx_bytes = toBase64(bytes)
    const { json: simulated } = await request('/cosmos/tx/v1beta1/simulate', { tx_bytes })
    expect(Number(simulated.gas_info.gas_used)).toBeGreaterThan(0)
    const { json } = await request('/cosmos/tx/v1beta1/txs', { tx_bytes, mode: 'BROADCAST_MODE_SYNC' })
    expect(json.tx_response).toMatchObject({
      code: 0,
      txhash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
    })
    await expect.poll(async () => (await request(`/cosmos/tx/v1beta1/txs/${json.tx_response.txhash}`)).status).toBe(200)
  })
})

describe('contracts', () => {
  it('have codes, a history and a state', async () => {
    const { token, orders } = chain.running
    const { code_infos } = await get('/cosmwasm/wasm/v1/code')
    const wasm = readFileSync(new URL('../../wasm/orders.wasm', import.meta.url))
    const checksum = createHash('sha256').update(wasm).digest('hex').toUpperCase()
    expect(code_infos[2]).toEqual({
      code_id: '5',
      creator: chain.operator.address,
      data_hash: checksum,
      instantiate_permission: { permission: 'ACCESS_TYPE_NOBODY', addresses: [] },
    })
    expect((await get('/cosmwasm/wasm/v1/code/5')).data).toBe(wasm.toString('base64'))
    expect((await get('/cosmwasm/wasm/v1/code/5/contracts')).contracts).toEqual([orders])
    const { contract_info } = await get(`/cosmwasm/wasm/v1/contract/${orders}`)
    expect(contract_info).toMatchObject({
      code_id: '5',
      label: 'orders',
      created: { block_height: '0', tx_index: '0' },
    })
    const [init] = (await get(`/cosmwasm/wasm/v1/contract/${orders}/history`)).entries
    expect(init.operation).toBe('CONTRACT_CODE_HISTORY_OPERATION_TYPE_INIT')
    expect(init.msg).toMatchObject({ token })
    const { models } = await get(`/cosmwasm/wasm/v1/contract/${token}/state?pagination.limit=100`)
    const name = Buffer.from('token_info').toString('hex').toUpperCase()
    const { value } = models.find(({ key }: { key: string }) => key === name)
    const raw = encodeURIComponent(toBase64(toUtf8('token_info')))
    expect(await get(`/cosmwasm/wasm/v1/contract/${token}/raw/${raw}`)).toEqual({ data: value })
    const question = encodeURIComponent(toBase64(toUtf8(JSON.stringify({ token_info: {} }))))
    expect((await get(`/cosmwasm/wasm/v1/contract/${token}/smart/${question}`)).data.symbol).toBe('cTNT')
  })
})

describe('the chain', () => {
  it('has blocks, one validator without a key, and is not syncing', async () => {
    const path = '/cosmos/base/tendermint/v1beta1'
    expect(await get(`${path}/syncing`)).toEqual({ syncing: false })
    const { block } = await get(`${path}/blocks/${sent[0]?.height}`)
    expect([block.header.height, block.data.txs.length]).toEqual([String(sent[0]?.height), 1])
    expect(Number((await get(`${path}/blocks/latest`)).sdk_block.header.height)).toBeGreaterThan(0)
    const { validators } = await get(`${path}/validatorsets/latest`)
    expect(validators[0].pub_key).toEqual({
      '@type': '/cosmos.crypto.ed25519.PubKey',
      key: toBase64(new Uint8Array(32)),
    })
    expect((await get(`${path}/node_info`)).default_node_info.network).toBe(chain.config.chainId)
  })

  it('has no staking', async () => {
    const path = '/cosmos/staking/v1beta1'
    expect(await get(`${path}/pool`)).toEqual({ pool: { not_bonded_tokens: '0', bonded_tokens: '0' } })
    expect((await get(`${path}/params`)).params).toMatchObject({ unbonding_time: '0s', bond_denom: 'utide' })
    expect((await get(`${path}/validators`)).validators).toEqual([])
    const { delegation_responses, pagination } = await get(`${path}/delegations/${owner.address}`)
    expect([delegation_responses, pagination]).toEqual([[], { next_key: null, total: '0' }])
  })
})

describe('refused are', () => {
  it('invalid requests, with 400', async () => {
    for (const path of [
      '/cosmwasm/wasm/v1/contract/test/smart/test',
      '/cosmos/bank/v1beta1/spendable_balances/test',
      '/cosmos/staking/v1beta1/delegations/test',
      '/cosmos/base/tendermint/v1beta1/blocks/high',
      '/cosmos/base/tendermint/v1beta1/blocks/1000000000',
      '/cosmos/auth/v1beta1/accounts?pagination.limit=few',
      '/cosmos/tx/v1beta1/txs',
      '/cosmos/tx/v1beta1/txs?query=tx.height',
    ]) {
      const { status, json } = await request(path)
      expect([path, status, json.code]).toEqual([path, 400, 3])
    }
    expect((await request('/cosmos/tx/v1beta1/txs', {})).status).toBe(400)
  })

  it('what there is not, with 404', async () => {
    for (const path of [
      `/cosmos/tx/v1beta1/txs/${'00'.repeat(32)}`,
      `/cosmwasm/wasm/v1/contract/${owner.address}`,
      '/cosmwasm/wasm/v1/code/1',
      '/cosmos/staking/v1beta1/validators/tidevaloper1',
    ]) {
      const { status, json } = await request(path)
      expect([path, status, json.code]).toEqual([path, 404, 5])
    }
  })

  it('services that this chain does not know, with 501', async () => {
    for (const path of ['/ibc/apps/transfer/v1/params', '/feemarket/v1/params', '/cosmos/evidence/v1beta1/evidence']) {
      const { status, json } = await request(path)
      expect([path, status, json.code]).toEqual([path, 501, 12])
    }
  })
})
