import type { Sql } from './db/sql.ts'

/** Rows about an account in its export: an array of the document. */
export interface ExportPart {
  /** Its name in the document. */
  readonly name: string
  /** Not given to API keys. */
  readonly personal?: true
  /** A select whose column `row_key` is a unique, non-negative number that grows in the order of the rows. No secrets. */
  readonly rows: Sql
}

/** The account that is exported. */
export interface ExportedAccount {
  id: number
  uid: string
}
