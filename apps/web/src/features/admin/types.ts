import type { Output, RouteOf } from '@tidenet/contract'

/** An account as operators see it. */
export type User = Output<RouteOf<'admin.user'>>
