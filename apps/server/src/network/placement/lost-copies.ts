import { LOST_CONTENTS_MAX } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface LostCopies {
  user_id: number
  contents: number
  copies: number
  list: { cid: string; lost: number; left: number }[]
}

/**
 * Copies on trusted nodes that were lost in a period and are still lost, by account. A pull that failed is no copy.
 * @param listed a statement for `user_id` and `cid` of what accounts have
 */
export async function findLostCopies(
  db: Db,
  listed: Sql,
  { after, until }: { after: Date; until: Date },
): Promise<LostCopies[]> {
  const rows = await db.rows<
    Omit<LostCopies, 'list'> & { listed_cids: string[]; listed_lost: number[]; listed_left: number[] }
  >(sql`
    with lost as (
      select r.cid, count(*)::int as copies from replicas r join nodes n on n.id = r.node_id
      where r.state = 'lost' and r.changed_at > ${after} and r.changed_at <= ${until} and (r.suspect or r.tries = 0)
        and (n.kind <> 'edge' or n.vetted_at is not null)
      group by r.cid
    ), ranked as (
      select o.user_id, l.cid, l.copies, c.stored, row_number() over (partition by o.user_id order by c.stored, l.cid) as rank
      from lost l join (${listed}) o on o.cid = l.cid join contents c on c.cid = l.cid
    )
    select user_id, count(*) as contents, coalesce(sum(copies), 0)::bigint as copies,
      coalesce(array_agg(cid order by rank) filter (where rank <= ${LOST_CONTENTS_MAX}), '{}') as listed_cids,
      coalesce(array_agg(copies order by rank) filter (where rank <= ${LOST_CONTENTS_MAX}), '{}') as listed_lost,
      coalesce(array_agg(stored::int order by rank) filter (where rank <= ${LOST_CONTENTS_MAX}), '{}') as listed_left
    from ranked group by user_id`)
  return rows.map(({ listed_cids, listed_lost, listed_left, ...row }) => ({
    ...row,
    list: listed_cids.map((cid, index) => ({ cid, lost: listed_lost[index] ?? 0, left: listed_left[index] ?? 0 })),
  }))
}
