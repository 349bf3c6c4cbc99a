import type { AssetVersion } from '@tidenet/contract'
import type { Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { oneOf } from '../one-of.ts'
import { printResult } from '../output.ts'
import { type AssetPlace, itemAt } from '../places.ts'
import { dataOf } from '../portal.ts'
import { signedIn } from '../session.ts'
import { texts } from '../texts.ts'

interface VersionsOptions {
  restore?: string
  remove?: string
  undo?: string
}

export function addVersionsCommand(program: Command): void {
  program
    .command('versions')
    .description(texts.commands.versions)
    .argument('<path>', texts.arguments.path)
    .option('--restore <version>', texts.options.versionRestore)
    .option('--remove <version>', texts.options.versionRemove)
    .option('--undo <version>', texts.options.versionUndo)
    .action(async (path: string, options: VersionsOptions) => {
      oneOf(options, ['restore', 'remove', 'undo'])
      const storage = signedIn()
      const place = await itemAt(storage, path)
      if (place.kind === 'folder') throw new CommandError(texts.usage.versionsOfFolder(place.path), 'usage')
      const { restore, remove, undo } = options
      if (restore !== undefined) {
        const { id } = await versionAt(storage, place, restore)
        const data = dataOf(await storage.versions.restore(id))
        return printResult(data, () => texts.versionRestored(place.path, data.version))
      }
      if (remove !== undefined) {
        const { id, version } = await versionAt(storage, place, remove)
        const data = dataOf(await storage.versions.remove(id))
        return printResult(data, () => texts.versionRemoved(place.path, version))
      }
      if (undo !== undefined) {
        const { id, version } = await versionAt(storage, place, undo)
        dataOf(await storage.versions.undelete(id))
        return printResult({ version }, () => texts.versionBack(place.path, version))
      }
      const { version, list, keep } = await versionsOf(storage, place)
      printResult({ version, list, keep }, () =>
        [
          texts.versionCurrent(version, bytes(place.asset.UserAssetDetail.TotalSize)),
          ...list.map((each) =>
            texts.versionLine(
              each.version,
              bytes(each.size),
              each.created_at.slice(0, 16).replace('T', ' '),
              each.removed,
            ),
          ),
          texts.versionsKept(keep.versions, keep.days),
        ].join('\n'),
      )
    })
}

/** All earlier versions of a file. A plan keeps at most a hundred. */
const versionsOf = async (storage: Storage, { cid, asset }: AssetPlace) =>
  dataOf(await storage.versions.list({ assetCid: cid, assetId: asset.UserAssetDetail.AssetID }))

/** An earlier version by its number. @throws CommandError 'notFound' */
export async function versionAt(storage: Storage, place: AssetPlace, number: string): Promise<AssetVersion> {
  const { list } = await versionsOf(storage, place)
  const found = list.find(({ version }) => String(version) === number)
  if (!found) throw new CommandError(texts.noSuchVersion(place.path, number), 'notFound')
  return found
}
