import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Whether the account began this upload since then, with a release that did not record grants. */
export const isUngranted = async (tx: Db, traceId: string, account: string, since: Date): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from traces
    where id = ${traceId} and account = ${account} and kind = 'upload' and not granted and created_at > ${since}`)) !==
  undefined

/** Contents that an account uploaded and that none of its assets lists, the newest first. */
export const findUnlisted = (tx: Db, { id, uid }: { id: number; uid: string }) =>
  tx.rows<{ cid: string; size: number }>(sql`
    select r.cid, max(r.size) as size from receipts r where r.account = ${uid} and not r.spent
      and not exists (select 1 from assets a where a.user_id = ${id} and a.cid = r.cid)
      and not exists (select 1 from trashed_assets a where a.user_id = ${id} and a.cid = r.cid)
      and not exists (select 1 from asset_versions a where a.user_id = ${id} and a.cid = r.cid)
    group by r.cid order by max(r.received_at) desc, r.cid`)

/** Whether an asset, the trash, an anonymous file or a receipt refers to the content. */
export const isReferenced = async (tx: Db, cid: string): Promise<boolean> =>
  (
    await tx.one<{ referenced: boolean }>(sql`
      select exists (select 1 from assets where cid = ${cid}) or exists (select 1 from trashed_assets where cid = ${cid})
        or exists (select 1 from asset_versions where cid = ${cid})
        or exists (select 1 from temp_files where cid = ${cid} and stored)
        or exists (select 1 from attachments where cid = ${cid})
        or exists (select 1 from receipts where cid = ${cid} and not spent) as referenced`)
  ).referenced
