import type { Output, RouteOf } from '@tidenet/contract'

/** TNT4 and fee coins of the linked wallet. */
export type ExchangeWallet = Output<RouteOf<'exchange.wallet'>>
