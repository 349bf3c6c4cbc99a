import type { Network } from '@tidenet/testnet'
import pg from 'pg'

/** Makes all edges of a network vetted at once, for tests that are not about vetting. */
export async function vetEdges({ databaseUrl }: Pick<Network, 'databaseUrl'>): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    await database.query(`
      update nodes set vetted_at = now(), eligible_at = now() where kind = 'edge' and vetted_at is null`)
  } finally {
    await database.end()
  }
}
