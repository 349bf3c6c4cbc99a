import type { Order } from '@tidenet/contract'
import { formatUnits, rateOf } from './money.ts'
import type { OrderRow } from './repository.ts'
import { actionsOf, labelOf } from './states.ts'

export function toWireOrder(row: OrderRow, { account, decimals }: { account: string; decimals: number }): Order {
  return {
    id: row.id,
    account,
    cpu: row.cpu,
    ram: row.ram,
    storage: row.storage,
    gpus: row.gpus,
    duration: row.duration,
    price: row.price,
    rate: rateOf(row),
    cluster: row.cluster,
    kub_name: row.cluster,
    status: row.status,
    label: labelOf(row),
    actions: actionsOf(row),
    workspace_id: row.workspace_id,
    hash: row.pay_hash,
    refund_hash: row.money === 'settled' ? row.release_hash : '',
    refund: row.refund === null ? '' : formatUnits(BigInt(row.refund), decimals),
    refund_receipt_id: row.refund_receipt_id,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? '',
    expired_at: row.expired_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    replaces: row.replaces,
    replaced_by: row.replaced_by,
  }
}
