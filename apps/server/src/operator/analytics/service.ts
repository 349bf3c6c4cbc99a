import type { contract, Parsed } from '@tidenet/contract'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'

/** Most different sources and media counted per day; further ones are counted as `other`. */
export const LABELS_A_DAY = 500

/** Adds one to the count of today, UTC. */
export async function countEvent(
  context: Pick<Context, 'db' | 'clock'>,
  { name, source, medium }: Parsed<typeof contract.analytics.event>,
): Promise<void> {
  const day = now(context).toISOString().slice(0, 10)
  await context.db.run(sql`
    insert into event_days as e (day, name, source, medium, count)
    select ${day}::date, ${name}, case when full_up then 'other' else ${source} end, case when full_up then 'other' else ${medium} end, 1
    from (select count(*) >= ${LABELS_A_DAY} and not exists (
        select 1 from event_days where day = ${day}::date and name = ${name} and source = ${source} and medium = ${medium}
      ) as full_up from event_days where day = ${day}::date) counted
    on conflict (day, name, source, medium) do update set count = e.count + 1`)
}
