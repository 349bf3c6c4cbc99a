import type { ListItem } from '@tidenet/contract'

/** A file of a list. A folder can list a content several times, so that its CID alone does not say which row is meant. */
export interface FileRef {
  cid: string
  /** The asset id; without it, the first row with the CID. */
  entry?: number | undefined
}

/** Rows per request. */
export const BATCH = 100
/** A file further down is shown without the files beside it. */
const BATCHES_MAX = 50

/** A row of a list. */
export interface Row {
  /** The asset; none for a folder. */
  asset?: { cid: string; entry: number; name: string } | null | undefined
  /** A file, which has a preview. Folders and uploaded folders are opened instead. */
  isFile: boolean
}

/** The row of a list item. */
export const rowOf = ({ AssetOverview }: ListItem): Row => ({
  asset: AssetOverview && {
    cid: AssetOverview.AssetRecord.CID,
    entry: AssetOverview.UserAssetDetail.AssetID,
    name: AssetOverview.UserAssetDetail.AssetName,
  },
  isFile: AssetOverview?.UserAssetDetail.AssetType === 'file',
})

/** A file and its place in the folder, from 0. */
export interface Placed extends FileRef {
  index: number
}

/** Whether a row is this file. */
export const isRowOf = ({ asset }: Row, { cid, entry }: FileRef): boolean =>
  entry === undefined ? asset?.cid === cid : asset?.entry === entry

export interface Neighbours {
  index: number
  name: string
  /** Rows of the folder, folders included. */
  count: number
  previous?: Placed | undefined
  next?: Placed | undefined
}

interface Batch {
  list: readonly Row[]
  total: number
}

/** Reads the rows `at` × 100 to `at` × 100 + 99 of a folder. */
export type ReadBatch = (at: number) => Promise<Batch>

/**
 * The files before and after this file. Lists hold 100 rows each; the search for the file begins where it was opened.
 * @param hint the expected index
 * @returns undefined if the folder does not list it, or too far down
 */
export async function neighboursOf(file: FileRef, hint: number, read: ReadBatch): Promise<Neighbours | undefined> {
  const found = await find(file, Math.floor(hint / BATCH), read)
  if (!found) return undefined
  const { index, name, total } = found
  const [previous, next] = await Promise.all([fileFrom(index, -1, total, read), fileFrom(index, 1, total, read)])
  return { index, name, count: total, previous, next }
}

async function find(
  file: FileRef,
  first: number,
  read: ReadBatch,
): Promise<{ index: number; name: string; total: number } | undefined> {
  const at = async (batch: number) => {
    const { list, total } = await read(batch)
    const index = list.findIndex((row) => isRowOf(row, file))
    return { index: index < 0 ? -1 : batch * BATCH + index, name: list[index]?.asset?.name ?? '', total }
  }
  const near = await at(first)
  if (near.index >= 0) return near
  const batches = Math.ceil(near.total / BATCH)
  // A file that was replaced or added nearby may have moved by a row.
  const others = [first + 1, first - 1, ...Array.from({ length: Math.min(batches, BATCHES_MAX) }, (_, each) => each)]
  for (const batch of new Set(others)) {
    if (batch === first || batch < 0 || batch >= batches) continue
    const found = await at(batch)
    if (found.index >= 0) return found
  }
  return undefined
}

async function fileFrom(from: number, step: 1 | -1, total: number, read: ReadBatch): Promise<Placed | undefined> {
  for (let index = from + step; index >= 0 && index < total; index += step) {
    if (Math.abs(index - from) > BATCHES_MAX * BATCH) return undefined
    const { list } = await read(Math.floor(index / BATCH))
    const row = list[index % BATCH]
    if (row?.isFile && row.asset) return { cid: row.asset.cid, entry: row.asset.entry, index }
  }
  return undefined
}
