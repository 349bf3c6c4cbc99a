import type { Output, RouteOf } from '@tidenet/contract'

/** One account as an operator sees it. */
export type User = Output<RouteOf<'admin.user'>>
