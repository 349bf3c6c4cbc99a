import type { Output, RouteOf } from '@tidenet/contract'

export type ExplorerNode = Output<RouteOf<'explorer.nodes'>>['list'][number]
export type ExplorerTransfer = Output<RouteOf<'explorer.transfers'>>['list'][number]
export type Status = ExplorerNode['status']
