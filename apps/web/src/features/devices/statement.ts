import type { Output, RouteOf } from '@tidenet/contract'

/** What one device earned on one day. */
export type Statement = Output<RouteOf<'earnings.statement'>>
