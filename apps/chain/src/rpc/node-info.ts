import type { Chain } from '../chain.ts'
import { PRODUCER } from './wire.ts'

/** The node, as JSON of CometBFT 0.38. */
export const nodeInfo = (chain: Chain) => ({
  protocol_version: { p2p: '8', block: '11', app: '0' },
  id: PRODUCER,
  listen_addr: 'tcp://127.0.0.1:26656',
  network: chain.genesis.chainId,
  // Clients choose their protocol by this version.
  version: '0.38.17',
  channels: '00',
  moniker: 'development chain',
  other: { tx_index: 'on', rpc_address: 'tcp://127.0.0.1:26657' },
})
