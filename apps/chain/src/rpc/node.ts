import { fromHex, toBase64 } from '@cosmjs/encoding'
import type { Chain } from '../chain.ts'
import { refusalOf, refuse } from '../state/refusal.ts'
import { answerQuery } from './grpc.ts'
import { nodeInfo } from './node-info.ts'
import { integerOf, type Params, RpcError, textOf } from './parameters.ts'
import { consensusParams, genesisValidator, PRODUCER, toWireTime, validator } from './wire.ts'

/** Methods about the node and the chain as a whole. */

const genesisOf = ({ genesis }: Chain) => ({
  genesis_time: toWireTime(genesis.time),
  chain_id: genesis.chainId,
  initial_height: '1',
  consensus_params: consensusParams,
  validators: [genesisValidator],
  app_hash: '',
  app_state: {},
})

/** Only the latest state is kept. It is also that of earlier blocks, if those after them are empty. */
function requireState(chain: Chain, height: number): void {
  if (height > chain.height)
    throw refuse.height('cannot query with height in the future; please provide a valid height')
  if (height < chain.changedAt)
    throw refuse.missing(
      `failed to load state at height ${height}; version does not exist (latest height: ${chain.height})`,
    )
}

export const nodeMethods = {
  health: () => ({}),

  status: (chain: Chain) => ({
    node_info: nodeInfo(chain),
    sync_info: {
      latest_block_hash: chain.appHash(),
      latest_app_hash: chain.appHash(),
      latest_block_height: String(chain.height),
      latest_block_time: toWireTime(chain.time),
      earliest_block_hash: '',
      earliest_app_hash: '',
      earliest_block_height: '1',
      earliest_block_time: toWireTime(chain.genesis.time),
      catching_up: false,
    },
    validator_info: validator,
  }),

  /** One program is the whole network. */
  net_info: () => ({ listening: false, listeners: [], n_peers: '0', peers: [] }),

  genesis: (chain: Chain) => ({ genesis: genesisOf(chain) }),

  genesis_chunked(chain: Chain, params: Params) {
    const chunk = integerOf('chunk', params.chunk) ?? 0
    if (chunk !== 0) throw new RpcError(-32603, `there are 1 chunks, ${chunk} is invalid`)
    return { chunk: '0', total: '1', data: toBase64(Buffer.from(JSON.stringify(genesisOf(chain)))) }
  },

  /** Without consensus, the next block is always at the first step of its first round. */
  consensus_state: (chain: Chain) => ({
    round_state: {
      'height/round/step': `${chain.height + 1}/0/1`,
      start_time: toWireTime(chain.time),
      proposal_block_hash: '',
      locked_block_hash: '',
      valid_block_hash: '',
      height_vote_set: [],
      proposer: { address: PRODUCER, index: 0 },
    },
  }),

  abci_info: (chain: Chain) => ({
    response: {
      data: 'tidenet-chain',
      version: '0',
      last_block_height: String(chain.height),
      last_block_app_hash: toBase64(fromHex(chain.appHash().toLowerCase())),
    },
  }),

  abci_query(chain: Chain, params: Params) {
    const height = integerOf('height', params.height) || chain.height
    const answer = { info: '', index: '0', key: null, proofOps: null, height: String(height) }
    try {
      requireState(chain, height)
      const value = answerQuery(chain, textOf(params.path), fromHex(textOf(params.data)))
      return { response: { ...answer, code: 0, log: '', value: toBase64(value), codespace: '' } }
    } catch (error) {
      const { code, codespace, message } = refusalOf(error)
      return { response: { ...answer, code, log: message, value: null, codespace } }
    }
  },
}
