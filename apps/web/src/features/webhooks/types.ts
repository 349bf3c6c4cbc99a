import type { Output, RouteOf } from '@tidenet/contract'

export type Webhook = Output<RouteOf<'webhooks.list'>>['list'][number]
export type Delivery = Output<RouteOf<'webhooks.deliveries'>>['list'][number]
