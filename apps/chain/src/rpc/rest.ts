import { fromBase64, toBase64 } from '@cosmjs/encoding'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Chain } from '../chain.ts'
import { readAddress } from '../state/addresses.ts'
import { findAccount } from '../state/bank.ts'
import { findInstance, readJson } from '../state/contracts.ts'
import { Refusal, refusalOf } from '../state/refusal.ts'
import { publicKeyOf } from '../state/transactions.ts'
import { askContract, balanceAt, gasPriceOf } from './abci-queries.ts'
import { toWireTransaction } from './wire.ts'

/** The Cosmos REST endpoints that wallets use. Others answer 501. */

/** gRPC status codes: not found, invalid argument, unimplemented. */
const NOT_FOUND = 5
const INVALID = 3
const UNIMPLEMENTED = 12

const page = (total: number) => ({ next_key: null, total: String(total) })

export function serveRest(app: FastifyInstance, chain: Chain): void {
  const { genesis } = chain

  const answer = (reply: FastifyReply, work: () => unknown) => {
    try {
      return work()
    } catch (error) {
      const { code, message } = refusalOf(error)
      const missing = code === 22 || code === 38
      return reply.code(missing ? 404 : 400).send({ code: missing ? NOT_FOUND : INVALID, message, details: [] })
    }
  }

  app.get('/cosmos/base/tendermint/v1beta1/node_info', () => ({
    default_node_info: { network: genesis.chainId, version: '0.38.17', moniker: 'development chain' },
    application_version: {
      name: 'tidenet-chain',
      app_name: 'tidenet-chain',
      version: '0.1.0',
      cosmos_sdk_version: 'v0.50.13',
    },
  }))

  app.get('/cosmos/base/node/v1beta1/config', () => ({ minimum_gas_price: gasPriceOf(genesis) }))

  app.get('/cosmos/base/tendermint/v1beta1/blocks/latest', () => ({
    block: {
      header: { chain_id: genesis.chainId, height: String(chain.height), time: new Date(chain.time).toISOString() },
    },
  }))

  app.get<{ Params: { address: string } }>('/cosmos/auth/v1beta1/accounts/:address', ({ params }, reply) =>
    answer(reply, () => {
      const account = chain.read((store) => findAccount(store, readAddress(genesis, params.address)))
      if (!account) throw new Refusal('sdk', 22, `account ${params.address} not found`)
      const key = publicKeyOf(account)
      return {
        account: {
          '@type': '/cosmos.auth.v1beta1.BaseAccount',
          address: account.address,
          pub_key: key ? { '@type': '/cosmos.crypto.secp256k1.PubKey', key: toBase64(key) } : null,
          account_number: String(account.number),
          sequence: String(account.sequence),
        },
      }
    }),
  )

  for (const kind of ['balances', 'spendable_balances'])
    app.get<{ Params: { address: string } }>(`/cosmos/bank/v1beta1/${kind}/:address`, ({ params }, reply) =>
      answer(reply, () => {
        const amount = balanceAt(chain, params.address)
        const balances = amount === '0' ? [] : [{ denom: genesis.denom, amount }]
        return { balances, pagination: page(balances.length) }
      }),
    )

  app.post<{ Body: { tx_bytes?: unknown } }>('/cosmos/tx/v1beta1/simulate', ({ body }, reply) =>
    answer(reply, () => {
      const { code, codespace, log, gasUsed, gasWanted } = chain.simulate(bytesOf(body?.tx_bytes))
      if (code !== 0) throw new Refusal(codespace, code, log)
      return {
        gas_info: { gas_wanted: String(gasWanted), gas_used: String(gasUsed) },
        result: { data: '', log, events: [] },
      }
    }),
  )

  app.post<{ Body: { tx_bytes?: unknown } }>('/cosmos/tx/v1beta1/txs', ({ body }, reply) =>
    answer(reply, () => {
      const { hash, result } = chain.broadcast(bytesOf(body?.tx_bytes))
      return {
        tx_response: { txhash: hash, code: result.code, codespace: result.codespace, raw_log: result.log, height: '0' },
      }
    }),
  )

  app.get<{ Params: { hash: string } }>('/cosmos/tx/v1beta1/txs/:hash', ({ params }, reply) =>
    answer(reply, () => {
      const found = chain.find(params.hash.toUpperCase())
      if (!found) throw new Refusal('sdk', 22, `tx not found: ${params.hash.slice(0, 80)}`)
      const { hash, height, tx_result } = toWireTransaction(found)
      return {
        tx_response: {
          txhash: hash,
          height,
          code: tx_result.code,
          codespace: tx_result.codespace,
          raw_log: tx_result.log,
          gas_wanted: tx_result.gas_wanted,
          gas_used: tx_result.gas_used,
          events: tx_result.events,
          timestamp: new Date(chain.block(found.height)?.time ?? 0).toISOString(),
        },
      }
    }),
  )

  app.get<{ Params: { address: string } }>('/cosmwasm/wasm/v1/contract/:address', ({ params }, reply) =>
    answer(reply, () => {
      const found = chain.read((store) => findInstance(store, readAddress(genesis, params.address)))
      if (!found) throw new Refusal('sdk', 22, `no such contract: ${params.address}`)
      const { address, code, creator, admin, label } = found
      return { address, contract_info: { code_id: String(code), creator, admin, label } }
    }),
  )

  app.get<{ Params: { address: string; question: string } }>(
    '/cosmwasm/wasm/v1/contract/:address/smart/:question',
    ({ params }, reply) =>
      answer(reply, () => ({ data: readJson(askContract(chain, params.address, fromBase64(params.question))) })),
  )

  app.setNotFoundHandler((_, reply) =>
    reply.code(501).send({ code: UNIMPLEMENTED, message: 'Not Implemented', details: [] }),
  )
}

function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string' || value === '') throw new Refusal('sdk', 18, 'tx_bytes is missing: invalid request')
  return new Uint8Array(Buffer.from(value, 'base64'))
}
