import { createHash } from 'node:crypto'
import { StartError } from '@tidenet/daemon'
import type { Pool } from './db.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { networkLife } from './migrations/0002-network-life.ts'
import { trash } from './migrations/0003-trash.ts'
import { keptFigures } from './migrations/0004-kept-figures.ts'
import { wallets } from './migrations/0005-wallets.ts'
import { secondFactors } from './migrations/0006-second-factors.ts'
import { admin } from './migrations/0007-admin.ts'
import { identities } from './migrations/0008-identities.ts'
import { guesses } from './migrations/0009-guesses.ts'
import { chain } from './migrations/0010-chain.ts'
import { orders } from './migrations/0011-orders.ts'
import { clusters } from './migrations/0012-clusters.ts'
import { rewards } from './migrations/0013-rewards.ts'
import { devices } from './migrations/0014-devices.ts'
import { grants } from './migrations/0015-grants.ts'
import { provenCopies } from './migrations/0016-proven-copies.ts'
import { rates } from './migrations/0017-rates.ts'
import { changedWorkloads } from './migrations/0018-changed-workloads.ts'
import { measuredFigures } from './migrations/0019-measured-figures.ts'
import { endedShares } from './migrations/0020-ended-shares.ts'

/** In order; a migration that has been released is never changed. */
const migrations: readonly { name: string; up: string }[] = [
  { name: '0001-foundation', up: foundation },
  { name: '0002-network-life', up: networkLife },
  { name: '0003-trash', up: trash },
  { name: '0004-kept-figures', up: keptFigures },
  { name: '0005-wallets', up: wallets },
  { name: '0006-second-factors', up: secondFactors },
  { name: '0007-admin', up: admin },
  { name: '0008-identities', up: identities },
  { name: '0009-guesses', up: guesses },
  { name: '0010-chain', up: chain },
  { name: '0011-orders', up: orders },
  { name: '0012-clusters', up: clusters },
  { name: '0013-rewards', up: rewards },
  { name: '0014-devices', up: devices },
  { name: '0015-grants', up: grants },
  { name: '0016-proven-copies', up: provenCopies },
  { name: '0017-rates', up: rates },
  { name: '0018-changed-workloads', up: changedWorkloads },
  { name: '0019-measured-figures', up: measuredFigures },
  { name: '0020-ended-shares', up: endedShares },
]

/**
 * Brings the database to the present schema. Several servers may start at once: one migrates, the others wait.
 * @throws StartError for a database whose migrations were others: it would fail much later, and say less
 */
export async function migrate(db: Pool): Promise<void> {
  const client = await db.pool.connect()
  try {
    await client.query('select pg_advisory_lock(7416273401)')
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    await client.query('alter table migrations add column if not exists digest text')
    const { rows } = await client.query<{ name: string; digest: string | null }>('select name, digest from migrations')
    const applied = new Map(rows.map((row) => [row.name, row.digest]))
    for (const { name, up } of migrations) {
      const digest = createHash('sha256').update(up).digest('hex')
      if (applied.has(name) && applied.get(name) !== digest)
        throw new StartError(
          `This database was made by another version of Tidenet (${name} differs). Go back to that version, or start with an empty database (with npm start: another folder in TIDENET_DATA).`,
          { permanent: true },
        )
      if (applied.has(name)) continue
      await client.query('begin')
      await client.query(up)
      await client.query('insert into migrations (name, digest) values ($1, $2)', [name, digest])
      await client.query('commit')
    }
    const { rows: worker } = await client.query<{ there: boolean }>(
      `select to_regnamespace('graphile_worker') is not null as there`,
    )
    if (!worker[0]?.there) {
      const { makeWorkerUtils } = await import('graphile-worker')
      const utils = await makeWorkerUtils({ pgPool: db.pool })
      await utils.migrate()
      await utils.release()
    }
  } finally {
    const broken = await client.query('select pg_advisory_unlock(7416273401)').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(broken)
  }
}
