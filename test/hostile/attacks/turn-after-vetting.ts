import { sql } from '../../../apps/server/src/platform/db/sql.ts'
import type { Attack } from '../harness.ts'
import flip from './flip-bits.ts'

/** It turns after this time even if it was not vetted. */
const PATIENCE_DAYS = 12

/** A good node until it is vetted and its copies count; a day later it sends wrong bytes to all. */
export default {
  name: 'turn after vetting',
  weight: 2,
  noticeable: 'late',
  bend: (attacker) => ({
    changes: (part, request) => (attacker.notes.get('turned') ? flip.bend().changes(part, request) : part),
  }),
  async step({ id, day, notes }, { env }) {
    const vetted = await env.db.maybe(
      sql`select 1 from nodes where id = ${id} and vetted_at < ${new Date(env.clock.now() - 24 * 3600_000)}`,
    )
    if (vetted || day > PATIENCE_DAYS) notes.set('turned', true)
  },
} satisfies Attack
