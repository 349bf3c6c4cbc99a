import { createHash } from 'node:crypto'
import { createFileHasher } from '@tidenet/content'
import { multihashHex, rawCid } from '@tidenet/content/cid'
import type { AssetType } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** For tests: content that is listed in an account without an upload. */

let files = 0

async function cidOf(bytes: Uint8Array) {
  const hasher = createFileHasher()
  await hasher.update(bytes)
  return (await hasher.finish()).cid
}

export interface SampleFile {
  id: number
  cid: string
}

/** One file in the root or in `folder`, held by `nodes`; the same `text` is the same content. */
export async function sampleFile(
  db: Db,
  ownerId: number,
  more: {
    folder?: number
    name?: string
    size?: number
    text?: string
    /** Instead of `text`. */
    bytes?: Uint8Array
    kind?: AssetType
    areas?: string[]
    nodes?: readonly { id: string }[]
    at?: Date
    expires?: Date
  } = {},
): Promise<SampleFile> {
  files += 1
  const text = more.text ?? `sample ${files}`
  const content = more.bytes ? await cidOf(more.bytes) : await rawCid(new TextEncoder().encode(text))
  const cid = content.toString()
  const at = more.at ?? new Date()
  const size = more.size ?? 20
  const kind = more.kind ?? 'file'
  await db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at) values (${cid}, ${multihashHex(content)}, ${kind}, ${size}, 1, ${at})
    on conflict do nothing`)
  for (const node of more.nodes ?? [])
    await db.run(sql`
      insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${at}) on conflict do nothing`)
  const { id } = await db.one<{ id: number }>(sql`
    insert into assets (user_id, folder_id, cid, kind, name, size, areas, created_at, expires_at)
    values (${ownerId}, ${more.folder ?? 0}, ${cid}, ${kind}, ${more.name ?? `file ${files}.txt`}, ${size}, ${more.areas ?? []}, ${at},
      ${more.expires ?? new Date(at.getTime() + 549 * 24 * 3600 * 1000)}) returning id`)
  return { id, cid }
}

/** Many files at once, without replicas; their content exists in name only. */
export async function sampleFiles(db: Db, ownerId: number, count: number, folder = 0): Promise<void> {
  const prefix = createHash('sha256').update(`${ownerId} ${folder} ${files++}`).digest('hex').slice(0, 12)
  const at = new Date()
  await db.run(sql`
    insert into contents (cid, hash, kind, size, blocks, created_at)
    select ${prefix} || i, '1220', 'file', 10, 1, ${at} from generate_series(1, ${count}::int) i`)
  // In batches: thousands of counted rows in one statement are slow.
  for (let from = 1; from <= count; from += 250)
    await db.run(sql`
      insert into assets (user_id, folder_id, cid, kind, name, size, created_at, expires_at)
      select ${ownerId}, ${folder}, ${prefix} || i, 'file', 'file ' || i, 10, ${at}, ${new Date(at.getTime() + 1e10)}
      from generate_series(${from}::int, ${Math.min(count, from + 249)}::int) i`)
}
