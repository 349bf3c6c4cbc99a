import type { CertificateStore } from '@tidenet/certificates'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** Accounts, certificates and open orders, for all servers. The values are sealed by the caller. */
export const databaseStore = (db: Db): CertificateStore => ({
  read: async (key) =>
    (await db.maybe<{ value: string }>(sql`select value from certificate_documents where key = ${key}`))?.value,
  async replace(key, before, after) {
    if (before === undefined)
      return after === undefined
        ? (await db.maybe(sql`select 1 as found from certificate_documents where key = ${key}`)) === undefined
        : (await db.run(
            sql`insert into certificate_documents (key, value) values (${key}, ${after}) on conflict (key) do nothing`,
          )) === 1
    const changed =
      after === undefined
        ? await db.run(sql`delete from certificate_documents where key = ${key} and value = ${before}`)
        : await db.run(sql`update certificate_documents set value = ${after} where key = ${key} and value = ${before}`)
    return changed === 1
  },
  keys: async (prefix) =>
    (await db.rows<{ key: string }>(sql`select key from certificate_documents where starts_with(key, ${prefix})`)).map(
      ({ key }) => key,
    ),
})
