import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CosmWasmClient, setupWasmExtension } from '@cosmjs/cosmwasm'
import { fromUtf8, toBech32, toUtf8 } from '@cosmjs/encoding'
import {
  createProtobufRpcClient,
  QueryClient,
  StargateClient,
  setupAuthExtension,
  setupAuthzExtension,
  setupBankExtension,
  setupDistributionExtension,
  setupFeegrantExtension,
  setupGovExtension,
  setupMintExtension,
  setupSlashingExtension,
  setupStakingExtension,
  setupTxExtension,
} from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import * as auth from 'cosmjs-types/cosmos/auth/v1beta1/query'
import * as bank from 'cosmjs-types/cosmos/bank/v1beta1/query'
import * as node from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import * as service from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { OrderBy, ServiceClientImpl } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import * as wasm from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { AccessType, ContractCodeHistoryOperationType } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formerChain } from '../former-chain.fixture.ts'
import { coins, FEE, type Person, type ServedChain, serveNewChain } from './served-chain.fixture.ts'

/** What CosmJS's clients and extensions ask over `abci_query`, and the services of the Cosmos SDK. */

function extended(comet: Comet38Client) {
  const one = QueryClient.withExtensions(
    comet,
    setupAuthExtension,
    setupBankExtension,
    setupStakingExtension,
    setupTxExtension,
    setupDistributionExtension,
    setupGovExtension,
    setupMintExtension,
    setupSlashingExtension,
  )
  const more = QueryClient.withExtensions(comet, setupWasmExtension, setupFeegrantExtension, setupAuthzExtension)
  return { ...one, ...more, rpc: createProtobufRpcClient(new QueryClient(comet)) }
}

let chain: ServedChain
let comet: Comet38Client
let ask: ReturnType<typeof extended>
let owner: Person
/** A transfer of the owner. */
let sent: { transactionHash: string; height: number }
beforeAll(async () => {
  chain = await serveNewChain()
  comet = await Comet38Client.connect(chain.running.url)
  ask = extended(comet)
  owner = await chain.person(100_000)
  sent = await owner.client.sendTokens(owner.address, owner.address, coins(1), FEE)
})
afterAll(async () => {
  comet?.disconnect()
  await chain?.stop()
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const wasmFile = (name: string) => new Uint8Array(readFileSync(new URL(`../../wasm/${name}.wasm`, import.meta.url)))
const collector = toBech32('tide', createHash('sha256').update('fee_collector').digest().subarray(0, 20))

describe('contracts', () => {
  it('have codes with their wasm and its checksum', async () => {
    const { client } = chain.operator
    const codes = await client.getCodes()
    expect(codes.map(({ id, creator, checksum }) => ({ id, creator, checksum }))).toEqual(
      [
        { id: 3, name: 'token' },
        { id: 4, name: 'orders-1' },
        { id: 5, name: 'orders' },
      ].map(({ id, name }) => ({ id, creator: chain.operator.address, checksum: sha256(wasmFile(name)) })),
    )
    const { data, checksum } = await client.getCodeDetails(5)
    expect(sha256(data)).toBe(checksum)
    const { codeInfo } = await ask.wasm.getCode(3)
    expect(codeInfo?.instantiatePermission.permission).toBe(AccessType.ACCESS_TYPE_NOBODY)
    const services = new wasm.QueryClientImpl(ask.rpc)
    expect(sha256((await services.Code({ codeId: 3n })).data)).toBe(
      Buffer.from((await services.CodeInfo({ codeId: 3n })).checksum).toString('hex'),
    )
    expect((await services.PinnedCodes({})).codeIds).toEqual([])
    expect((await services.Params()).params.codeUploadAccess.permission).toBe(AccessType.ACCESS_TYPE_NOBODY)
  })

  it('are listed by code and by creator, with the message that created them', async () => {
    const { client, address } = chain.operator
    const { token, orders, rewards, tnt4 } = chain.running
    expect(await client.getContracts(5)).toEqual([orders])
    expect(await client.getContractsByCreator(address)).toEqual([token, orders, rewards, tnt4].sort())
    expect(await client.getContract(orders)).toMatchObject({ codeId: 5, creator: address, label: 'orders' })
    const [init, ...rest] = await client.getContractCodeHistory(orders)
    expect(init).toEqual({ operation: 'Init', codeId: 5, msg: { token, operator: address, treasury: address } })
    expect(rest).toEqual([])
  })

  it('of an older chain were moved to wasm, which their history says', async () => {
    const former = formerChain('second')
    const old = await serveNewChain(former.config)
    const { client } = old.operator
    const history = await client.getContractCodeHistory(old.running.orders)
    expect(history.map(({ operation, codeId }) => [operation, codeId])).toEqual([
      ['Init', 2],
      ['Migrate', 5],
    ])
    expect((await client.getCodes()).map(({ id }) => id)).toEqual([3, 4, 5])
    const services = extended(await Comet38Client.connect(old.running.url))
    const { entries } = await services.wasm.getContractCodeHistory(old.running.token)
    const [, migrated] = entries
    expect(migrated?.operation).toBe(ContractCodeHistoryOperationType.CONTRACT_CODE_HISTORY_OPERATION_TYPE_MIGRATE)
    expect(Number(migrated?.updated?.blockHeight)).toBeGreaterThan(0)
    await old.restart()
    expect((await services.wasm.getContractCodeHistory(old.running.token)).entries).toEqual(entries)
    await old.stop()
  })

  it('show their state, whole and by key, in pages', async () => {
    const { token } = chain.running
    const { models } = await ask.wasm.getAllContractState(token)
    const info = models.find(({ key }) => fromUtf8(key, true) === 'token_info')
    const { data } = await ask.wasm.queryContractRaw(token, toUtf8('token_info'))
    expect(JSON.parse(fromUtf8(data))).toEqual(JSON.parse(fromUtf8(info?.value ?? new Uint8Array())))
    const services = new wasm.QueryClientImpl(ask.rpc)
    for (const reverse of [false, true]) {
      const found: string[] = []
      let key = new Uint8Array()
      do {
        const page = await services.AllContractState({
          address: token,
          pagination: { key, limit: 1n, offset: 0n, countTotal: false, reverse },
        })
        expect(page.models.length).toBe(1)
        found.push(...page.models.map((model) => fromUtf8(model.key, true)))
        key = new Uint8Array(page.pagination?.nextKey ?? [])
      } while (key.length > 0)
      const all = models.map((model) => fromUtf8(model.key, true))
      expect(found).toEqual(reverse ? all.toReversed() : all)
    }
  })

  it('answer what cw20-base does, such as its marketing, and all allowances of a spender', async () => {
    const { token } = chain.running
    const client = await CosmWasmClient.connect(chain.running.url)
    expect(await client.queryContractSmart(token, { marketing_info: {} })).toMatchObject({ project: null, logo: null })
    const spender = await chain.person(0)
    const allow = { increase_allowance: { spender: spender.address, amount: '7' } }
    await owner.client.execute(owner.address, token, allow, FEE)
    const { allowances } = await client.queryContractSmart(token, {
      all_spender_allowances: { spender: spender.address },
    })
    expect(allowances).toEqual([{ owner: owner.address, allowance: '7', expires: { never: {} } }])
    client.disconnect()
  })
})

describe('coins', () => {
  it('have a supply, which all accounts together own', async () => {
    const { amount } = await ask.bank.supplyOf('utide')
    expect((await ask.bank.totalSupply()).supply).toEqual([{ denom: 'utide', amount }])
    const { accounts } = await new auth.QueryClientImpl(ask.rpc).Accounts({})
    const addresses = [...accounts.map(({ value }) => BaseAccount.decode(value).address), collector]
    const held = await Promise.all(addresses.map((address) => ask.bank.balance(address, 'utide')))
    expect(held.reduce((sum, coin) => sum + BigInt(coin.amount), 0n)).toBe(BigInt(amount))
    expect((await ask.bank.supplyOf('other')).amount).toBe('0')
  })

  it('have metadata', async () => {
    const metadata = await ask.bank.denomMetadata('utide')
    expect(metadata).toMatchObject({ base: 'utide', display: 'tide' })
    expect(await ask.bank.denomsMetadata()).toEqual([metadata])
    expect(await ask.bank.allBalances(owner.address)).toEqual([await ask.bank.balance(owner.address, 'utide')])
  })
})

describe('accounts', () => {
  it('are listed in pages, with their sequence', async () => {
    const services = new auth.QueryClientImpl(ask.rpc)
    const page = (offset: bigint) => ({ key: new Uint8Array(), offset, limit: 1n, countTotal: true, reverse: false })
    const first = await services.Accounts({ pagination: page(0n) })
    const second = await services.Accounts({ pagination: page(1n) })
    expect(first.accounts.length).toBe(1)
    expect(second.accounts).not.toEqual(first.accounts)
    const whole = await services.Accounts({})
    expect(whole.pagination?.total).toBe(first.pagination?.total)
    const { info } = await services.AccountInfo({ address: owner.address })
    expect(Number(info?.sequence)).toBe((await owner.client.getSequence(owner.address)).sequence)
    expect(await ask.auth.account(owner.address)).toMatchObject({ typeUrl: '/cosmos.auth.v1beta1.BaseAccount' })
  })

  it('include that of the fees, and have parameters', async () => {
    const services = new auth.QueryClientImpl(ask.rpc)
    const { account } = await services.ModuleAccountByName({ name: 'fee_collector' })
    expect(ModuleAccount.decode(account?.value ?? new Uint8Array()).baseAccount?.address).toBe(collector)
    expect((await services.ModuleAccounts({})).accounts.length).toBe(1)
    expect((await services.Params()).params.maxMemoCharacters).toBe(256n)
    expect((await services.Bech32Prefix()).bech32Prefix).toBe('tide')
  })
})

describe('transactions and blocks', () => {
  it('are found by hash and by events, with what was signed', async () => {
    const { tx, txResponse } = await ask.tx.getTx(sent.transactionHash)
    expect(txResponse).toMatchObject({ txhash: sent.transactionHash, code: 0, height: BigInt(sent.height) })
    expect(tx?.body?.messages.map(({ typeUrl }) => typeUrl)).toEqual(['/cosmos.bank.v1beta1.MsgSend'])
    const services = new ServiceClientImpl(ask.rpc)
    const found = await services.GetTxsEvent(
      service.GetTxsEventRequest.fromPartial({
        query: `message.sender='${owner.address}'`,
        orderBy: OrderBy.ORDER_BY_DESC,
        page: 2n,
        limit: 1n,
      }),
    )
    expect(found.txResponses.length).toBe(1)
    expect(Number(found.total)).toBeGreaterThan(1)
    // As clients of earlier versions ask.
    const events = [`message.sender='${owner.address}'`, `tx.height=${sent.height}`]
    const earlier = await services.GetTxsEvent(service.GetTxsEventRequest.fromPartial({ events }))
    expect(earlier.txResponses.map(({ txhash }) => txhash)).toEqual([sent.transactionHash])
  })

  it('are found by height', async () => {
    const { txs, block } = await new ServiceClientImpl(ask.rpc).GetBlockWithTxs({ height: BigInt(sent.height) })
    expect([txs.length, block?.header.height]).toEqual([1, BigInt(sent.height)])
    const services = new node.ServiceClientImpl(ask.rpc)
    const { blockId, sdkBlock } = await services.GetBlockByHeight({ height: BigInt(sent.height) })
    const { blockId: same } = await comet.block(sent.height)
    expect(Buffer.from(blockId?.hash ?? [])).toEqual(Buffer.from(same.hash))
    expect(sdkBlock?.header.proposerAddress).toMatch(/^tidevalcons1/)
    expect(Number((await services.GetLatestBlock()).block?.header.height)).toBeGreaterThan(sent.height)
    expect((await services.GetLatestValidatorSet({})).validators.length).toBe(1)
    expect((await services.GetNodeInfo()).defaultNodeInfo?.network).toBe(chain.config.chainId)
    expect((await services.GetSyncing()).syncing).toBe(false)
  })
})

describe('what this chain does not have', () => {
  it('is empty: staking, rewards, proposals, inflation and grants', async () => {
    const { address } = owner
    expect((await ask.staking.validators('BOND_STATUS_BONDED')).validators).toEqual([])
    expect((await ask.staking.delegatorDelegations(address)).delegationResponses).toEqual([])
    expect((await ask.staking.delegatorUnbondingDelegations(address)).unbondingResponses).toEqual([])
    expect((await ask.staking.pool()).pool).toEqual({ bondedTokens: '0', notBondedTokens: '0' })
    expect((await ask.staking.params()).params?.bondDenom).toBe('utide')
    expect((await ask.distribution.delegationTotalRewards(address)).total).toEqual([])
    expect((await ask.distribution.delegatorWithdrawAddress(address)).withdrawAddress).toBe(address)
    expect((await ask.distribution.communityPool()).pool).toEqual([])
    expect((await ask.gov.proposals(0, '', '')).proposals).toEqual([])
    expect((await ask.mint.inflation()).toString()).toBe('0')
    expect((await ask.mint.params()).mintDenom).toBe('utide')
    expect((await ask.slashing.signingInfos()).info).toEqual([])
    expect((await ask.slashing.params()).params?.signedBlocksWindow).toBe(0n)
    expect((await ask.gov.params('deposit')).depositParams?.minDeposit).toEqual([])
    const client = await StargateClient.connect(chain.running.url)
    expect(await client.getDelegation(address, 'tidevaloper1')).toBeNull()
    expect(await client.getBalanceStaked(address)).toBeNull()
    expect(await client.getAllBalances(address)).toEqual([await client.getBalance(address, 'utide')])
    client.disconnect()
    expect((await ask.feegrant.allowances(address)).allowances).toEqual([])
    expect((await ask.authz.granterGrants(address)).grants).toEqual([])
  })
})

describe('refused are', () => {
  it('unknown codes, contracts, accounts, coins, transactions and heights', async () => {
    const missing = toBech32('tide', new Uint8Array(32))
    const refused = [
      ask.wasm.getCode(1),
      ask.wasm.getCode(6),
      ask.wasm.getContractInfo(missing),
      ask.wasm.getContractCodeHistory(missing),
      ask.wasm.getAllContractState(missing),
      ask.wasm.queryContractRaw(missing, toUtf8('token_info')),
      ask.auth.account(missing),
      ask.bank.denomMetadata('other'),
      ask.tx.getTx('00'.repeat(32)),
      ask.staking.validator('tidevaloper1'),
      ask.gov.proposal(1),
      new ServiceClientImpl(ask.rpc).GetBlockWithTxs({ height: 1_000_000_000n }),
    ]
    for (const attempt of refused) await expect(attempt).rejects.toThrow(/no such|NotFound|InvalidArgument/)
  })

  it('states of the past and the future, except those that are the same as now', async () => {
    const client = new QueryClient(comet)
    const request = bank.QueryBalanceRequest.encode({ address: owner.address, denom: 'utide' }).finish()
    const at = (height: number) => client.queryAbci('/cosmos.bank.v1beta1.Query/Balance', request, height)
    const { height } = await owner.client.sendTokens(owner.address, owner.address, coins(1), FEE)
    expect(await at(height)).toMatchObject({ height, value: (await at(0)).value })
    await expect(at(height - 1)).rejects.toThrow('version does not exist')
    await expect(at(height + 1_000_000)).rejects.toThrow('future')
  })

  it('addresses of other chains, searches without conditions, unknown methods, and pages by key and offset', async () => {
    const other = toBech32('cosmos', new Uint8Array(20))
    await expect(ask.bank.balance(other, 'utide')).rejects.toThrow('bech32')
    await expect(ask.staking.delegatorDelegations(other)).rejects.toThrow('bech32')
    const services = new ServiceClientImpl(ask.rpc)
    await expect(services.GetTxsEvent(service.GetTxsEventRequest.fromPartial({}))).rejects.toThrow('empty')
    await expect(
      services.GetTxsEvent(service.GetTxsEventRequest.fromPartial({ query: 'tx.height=1', page: 9n })),
    ).rejects.toThrow('page')
    await expect(new QueryClient(comet).queryAbci('/cosmos.none.v1.Query/All', new Uint8Array())).rejects.toThrow(
      'unknown query path',
    )
    const pagination = { key: toUtf8('a'), offset: 1n, limit: 1n, countTotal: false, reverse: false }
    await expect(new auth.QueryClientImpl(ask.rpc).Accounts({ pagination })).rejects.toThrow('either offset or key')
  })
})
