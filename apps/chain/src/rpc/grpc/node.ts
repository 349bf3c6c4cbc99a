import { fromHex, toBech32 } from '@cosmjs/encoding'
import {
  GetBlockByHeightRequest,
  GetBlockByHeightResponse,
  GetLatestBlockRequest,
  GetLatestBlockResponse,
  GetLatestValidatorSetRequest,
  GetLatestValidatorSetResponse,
  GetNodeInfoRequest,
  GetNodeInfoResponse,
  GetSyncingRequest,
  GetSyncingResponse,
  GetValidatorSetByHeightRequest,
  GetValidatorSetByHeightResponse,
} from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import type { Chain } from '../../chain.ts'
import { nodeInfo } from '../node-info.ts'
import { PRODUCER } from '../wire.ts'
import { invalid, paginateList, type Queries, query } from './query.ts'

/** The service of CometBFT's blocks in the Cosmos SDK. */

const bytesOf = (hash: string): Uint8Array => fromHex(hash.toLowerCase())
const blockIdOf = (hash: string) => ({ hash: bytesOf(hash), partSetHeader: { total: 1, hash: bytesOf(hash) } })
const producerOf = ({ genesis }: Chain): string => toBech32(`${genesis.prefix}valcons`, fromHex(PRODUCER))

/** A block as protobuf; 0 is the latest. */
export function blockOf(chain: Chain, at: bigint) {
  const found = chain.block(at === 0n ? chain.height : Number(at))
  if (!found)
    throw invalid(
      `requested height ${at} but height must not be less than 1 or greater than the current height ${chain.height}`,
    )
  const { height, time, hash, previous, txs } = found
  const [whole, before] = [bytesOf(hash), bytesOf(previous)]
  // See `toWireHeader`: hashes of single parts prove nothing.
  const header = {
    version: { block: 11n, app: 0n },
    chainId: chain.genesis.chainId,
    height: BigInt(height),
    time: { seconds: BigInt(Math.floor(time / 1000)), nanos: (time % 1000) * 1_000_000 },
    ...(height > 1 && { lastBlockId: blockIdOf(previous) }),
    lastCommitHash: before,
    dataHash: whole,
    validatorsHash: whole,
    nextValidatorsHash: whole,
    consensusHash: whole,
    appHash: before,
    lastResultsHash: before,
    evidenceHash: before,
  }
  const rest = {
    data: { txs },
    evidence: { evidence: [] },
    lastCommit: { height: BigInt(height - 1), ...(height > 1 && { blockId: blockIdOf(previous) }) },
  }
  return {
    txs,
    blockId: blockIdOf(hash),
    block: { header: { ...header, proposerAddress: fromHex(PRODUCER) }, ...rest },
    sdkBlock: { header: { ...header, proposerAddress: producerOf(chain) }, ...rest },
  }
}

/** See `PRODUCER`. */
const validatorsOf = (chain: Chain) => [
  {
    address: producerOf(chain),
    pubKey: {
      typeUrl: '/cosmos.crypto.ed25519.PubKey',
      value: PubKey.encode({ key: new Uint8Array(32) }).finish(),
    },
    votingPower: 1n,
  },
]

export const nodeQueries: Queries = {
  '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo': query(GetNodeInfoRequest, GetNodeInfoResponse, (chain) => {
    const { id, protocol_version: version, other, channels, ...info } = nodeInfo(chain)
    return {
      defaultNodeInfo: {
        ...info,
        defaultNodeId: id,
        listenAddr: info.listen_addr,
        channels: bytesOf(channels),
        protocolVersion: { p2p: BigInt(version.p2p), block: BigInt(version.block), app: BigInt(version.app) },
        other: { txIndex: other.tx_index, rpcAddress: other.rpc_address },
      },
      applicationVersion: {
        name: 'tidenet-chain',
        appName: 'tidenet-chain',
        version: '0.1.0',
        cosmosSdkVersion: 'v0.53.6',
      },
    }
  }),

  '/cosmos.base.tendermint.v1beta1.Service/GetSyncing': query(GetSyncingRequest, GetSyncingResponse, () => ({
    syncing: false,
  })),

  '/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock': query(
    GetLatestBlockRequest,
    GetLatestBlockResponse,
    (chain) => blockOf(chain, 0n),
  ),

  '/cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight': query(
    GetBlockByHeightRequest,
    GetBlockByHeightResponse,
    (chain, { height }) => blockOf(chain, height),
  ),

  '/cosmos.base.tendermint.v1beta1.Service/GetLatestValidatorSet': query(
    GetLatestValidatorSetRequest,
    GetLatestValidatorSetResponse,
    (chain, request) => {
      const { list, pagination } = paginateList(validatorsOf(chain), request.pagination)
      return { blockHeight: BigInt(chain.height), validators: list, pagination }
    },
  ),

  '/cosmos.base.tendermint.v1beta1.Service/GetValidatorSetByHeight': query(
    GetValidatorSetByHeightRequest,
    GetValidatorSetByHeightResponse,
    (chain, { height, pagination }) => {
      const page = paginateList(validatorsOf(chain), pagination)
      const { header } = blockOf(chain, height).block
      return { blockHeight: header.height, validators: page.list, pagination: page.pagination }
    },
  ),
}
