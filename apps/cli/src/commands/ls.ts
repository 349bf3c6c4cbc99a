import type { ListItem } from '@tidenet/contract'
import { PAGE_SIZE_MAX } from '@tidenet/contract/constants'
import { SHARE } from '@tidenet/contract/storage-enums'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes, moment } from '../amounts.ts'
import { wholeNumber } from '../numbers.ts'
import { printResult } from '../output.ts'
import { itemsOf, type Place, placeAt, placeOf } from '../places.ts'
import { call } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'
import { table } from '../width.ts'

interface ListOptions {
  long?: true
  page?: string
  pageSize?: string
}

interface Listing {
  items: ListItem[]
  total: number
  page?: { number: number; size: number }
}

export function addListCommand(program: Command): void {
  program
    .command('ls')
    .description(texts.commands.ls)
    .argument('[path]', texts.arguments.folder, '/')
    .option('-l, --long', texts.options.long)
    .option('--page <number>', texts.options.page)
    .option('--page-size <number>', texts.options.pageSize)
    .action(async (path: string, options: ListOptions) => {
      const storage = signedIn()
      const place = await placeAt(storage, path)
      const { items, total, page } = await itemsAt(storage, place, options)
      const above = place.kind === 'folder' ? place.path : '/'
      const rows = items.map((item) => rowOf(placeOf(item, above)))
      printResult({ list: rows, total, ...(page && { page: page.number }) }, () =>
        rows.length === 0
          ? texts.empty
          : [
              (options.long ? longTable : shortTable)(rows),
              ...(page ? [texts.page(page.number, Math.max(1, Math.ceil(total / page.size)), total)] : []),
            ].join('\n'),
      )
    })
}

/** All items of a folder, or one page; a file is listed by itself. */
async function itemsAt(storage: Storage, place: Place, options: ListOptions): Promise<Listing> {
  if (place.kind === 'asset') return { items: [{ AssetOverview: place.asset, Group: null }], total: 1 }
  if (options.page !== undefined || options.pageSize !== undefined) {
    const number = wholeNumber('--page', options.page ?? '1', 1)
    const size = Math.min(PAGE_SIZE_MAX, wholeNumber('--page-size', options.pageSize ?? String(PAGE_SIZE_MAX), 1))
    const { list, total } = await call(storage, 'folders.contents', { parent: place.id, page: number, page_size: size })
    return { items: list, total, page: { number, size } }
  }
  const items: ListItem[] = []
  for await (const item of itemsOf(storage, place.id)) items.push(item)
  return { items, total: items.length }
}

/** An item in `--json` output. `id` is the folder id; sizes in bytes. */
function rowOf(place: Place) {
  if (place.kind === 'folder') {
    const { group, name, id } = place
    return {
      name,
      kind: 'group' as const,
      id,
      size: group?.AssetSize ?? 0,
      date: group?.CreatedTime ?? '',
      shared: group?.ShareStatus !== SHARE.off,
    }
  }
  const { UserAssetDetail: detail, AssetRecord: record } = place.asset
  return {
    name: place.name,
    kind: detail.AssetType,
    cid: place.cid,
    size: detail.TotalSize,
    date: detail.CreatedTime,
    shared: detail.ShareStatus !== SHARE.off,
    encrypted: detail.Encrypted,
    replicas: record.replica_num,
    wanted: record.NeedEdgeReplica,
  }
}

type Row = ReturnType<typeof rowOf>

const { headers } = texts

/** Folders have a trailing slash, as in a shell. */
const nameOf = (row: Row): string => (row.kind === 'group' ? `${row.name}/` : row.name)
/** A folder has the size of the files directly in it, which is nothing to show if there are none. */
const sizeOf = (row: Row): string => (row.kind === 'group' && row.size === 0 ? '-' : bytes(row.size))
const marksOf = (row: Row): string =>
  [row.shared ? texts.shared : '', row.encrypted ? texts.encrypted : ''].filter((mark) => mark !== '').join(' ')

function shortTable(rows: readonly Row[]): string {
  return table(
    [headers.name, headers.size, headers.date, ''],
    rows.map((row) => [nameOf(row), sizeOf(row), moment(row.date), marksOf(row)]),
  )
}

function longTable(rows: readonly Row[]): string {
  return table(
    [headers.name, headers.kind, headers.size, headers.date, headers.replicas, headers.cid, ''],
    rows.map((row) => [
      nameOf(row),
      texts.kinds[row.kind],
      sizeOf(row),
      moment(row.date),
      row.kind === 'group' ? '' : `${row.replicas}/${row.wanted}`,
      row.cid ?? '',
      marksOf(row),
    ]),
  )
}
