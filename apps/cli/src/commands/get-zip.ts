import { basename, dirname, join } from 'node:path'
import { withSuffix } from '@tidenet/content/names'
import type { ArchiveItems, ArchiveOptions, DownloadTarget, Storage } from '@tidenet/storage'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { interruptible } from '../interrupt.ts'
import { statPath } from '../local-files.ts'
import { printLine, printMessage, printResult } from '../output.ts'
import { localName } from '../paths.ts'
import { itemsOf, type Place } from '../places.ts'
import { dataOf } from '../portal.ts'
import { followProgress } from '../progress.ts'
import { texts } from '../texts.ts'

/**
 * Saves files and folders of the account as one ZIP, which is written while they arrive.
 * @param stream writes it there instead of to a file
 * @throws CommandError if the file exists, or if files are missing in the ZIP
 */
export async function saveZip(
  storage: Storage,
  places: readonly Place[],
  {
    to,
    stream,
    force,
    decrypt,
  }: {
    to: string | undefined
    stream: Extract<DownloadTarget, { stream: object }>['stream'] | undefined
    force: boolean
    decrypt: ArchiveOptions['decrypt'] | undefined
  },
): Promise<void> {
  const path = await pathFor(places, stream ? undefined : to)
  if (!stream && !force && (await statPath(path))) throw new CommandError(texts.isThereLocal(path))
  if (!stream && !(await statPath(dirname(path)))) throw new CommandError(texts.noSuchLocal(dirname(path)), 'notFound')
  const stop = new AbortController()
  const bar = followProgress(path)
  try {
    const { size, count, failed } = await interruptible(
      () => stop.abort(),
      async () => {
        const options: ArchiveOptions = {
          items: await itemsIn(storage, places),
          name: basename(path),
          format: 'zip',
          to: stream ? { stream } : { path },
          signal: stop.signal,
          ...(decrypt && { decrypt }),
        }
        const show = ({ loaded, total, speed }: { loaded: number; total: number; speed: number }) =>
          bar.show({ state: 'downloading', loaded, total, speed })
        return dataOf(await storage.downloadArchive(options, show))
      },
    )
    bar.end()
    const list = stream ? [] : [{ path, size, count }]
    if (!stream) printLine(texts.savedAll(path, count, bytes(size)))
    for (const { path: name, msg } of failed) printMessage(texts.each(name, msg))
    if (failed.length > 0)
      throw new CommandError(texts.someFailed(failed.length, failed.length + count), 'failed', {
        more: { list, failed: failed.map(({ path: name, ...reason }) => ({ name, ...reason })) },
      })
    if (!stream) printResult({ list }, () => '')
  } finally {
    bar.end()
  }
}

/** The local file: `to`, or a file named after what it contains. */
async function pathFor(places: readonly Place[], to: string | undefined): Promise<string> {
  const [place] = places
  const name = withSuffix((places.length === 1 && localName(place?.name ?? '')) || 'tidenet', '.zip')
  if (to === undefined) return name
  return to.endsWith('/') || (await statPath(to))?.kind === 'folder' ? join(to, name) : to
}

/** The root is no folder that the portal could list with its contents, so its items are named. */
async function itemsIn(storage: Storage, places: readonly Place[]): Promise<ArchiveItems> {
  const items = { assetIds: new Set<number>(), folders: new Set<number>() }
  for (const place of places)
    if (place.kind === 'asset') items.assetIds.add(place.asset.UserAssetDetail.AssetID)
    else if (place.id !== 0) items.folders.add(place.id)
    else
      for await (const { Group, AssetOverview } of itemsOf(storage, 0)) {
        if (Group) items.folders.add(Group.ID)
        if (AssetOverview) items.assetIds.add(AssetOverview.UserAssetDetail.AssetID)
      }
  return { assetIds: [...items.assetIds], folders: [...items.folders] }
}
