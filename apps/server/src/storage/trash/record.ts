import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'

/** Where a call came from. */
export type From = { ip: string }

/** Records in the owner's activity how many items a call deleted or restored; a folder is one, with everything in it. A rule of a bucket is not the owner. */
export async function recordItems(
  tx: Db,
  context: Pick<Context, 'clock'>,
  caller: Member | { uid: string; isRule: true },
  from: From,
  action: 'file.expire' | 'file.trash' | 'file.restore' | 'file.delete',
  items: number,
): Promise<void> {
  if (items > 0)
    await audit(tx, context, 'isRule' in caller ? 'system' : caller, from, {
      action,
      subject: `user:${caller.uid}`,
      detail: { items },
    })
}
