import { basename, join, relative, sep } from 'node:path'
import { asDisksSeeIt, withMark, withSuffix } from '@tidenet/content/names'
import type { Storage } from '@tidenet/storage'
import { localName, namesIn } from './paths.ts'
import { type AssetPlace, type FolderPlace, itemsOf, type Place, placeOf } from './places.ts'

/** A remote file or folder and its local path. */
export interface SaveItem {
  place: AssetPlace
  path: string
  /** The folder that the user chose; segments between it and `path` are remote names. */
  base: string
  /** Part of a folder: parent folders are created, and an existing file counts as saved if it cannot be compared. */
  inTree: boolean
}

export const isStoredFolder = ({ asset }: AssetPlace): boolean => asset.UserAssetDetail.AssetType === 'folder'

/** The local file name: an uploaded folder is saved as a tar unless it is unpacked. */
export function fileName(place: AssetPlace, extract: boolean): string {
  const name = localName(place.name)
  return isStoredFolder(place) && !extract ? withSuffix(name.replace(/\.tar$/i, ''), '.tar') : name
}

/** All items below a folder of the account, with paths below `into`; names that a disk treats as one are marked. */
export async function* itemsBelow(
  storage: Storage,
  folder: FolderPlace,
  into: string,
  extract: boolean,
  base = into,
): AsyncGenerator<SaveItem> {
  const taken = new Set<string>()
  const free = (name: string, mark: string) => {
    let found = name
    for (let number = 1; taken.has(asDisksSeeIt(found)); number++)
      found = withMark(name, number === 1 ? mark : `${mark} ${number}`)
    taken.add(asDisksSeeIt(found))
    return join(into, found)
  }
  const folders: { place: FolderPlace; path: string }[] = []
  for await (const item of itemsOf(storage, folder.id)) {
    const place: Place = placeOf(item, folder.path)
    if (place.kind === 'folder') folders.push({ place, path: free(localName(place.name), String(place.id)) })
    else yield { place, path: free(fileName(place, extract), place.cid.slice(-8)), base, inTree: true }
  }
  for (const { place, path } of folders) yield* itemsBelow(storage, place, path, extract, base)
}

/** A file or folder of the account whose copy has another name. */
export interface Renamed {
  /** Its path in the account. */
  from: string
  /** The local path. */
  to: string
}

/** The items of a folder, and the folders in it, whose copies have other names: disks do not take theirs, or another has it. */
export function renamedIn(folder: FolderPlace, items: readonly SaveItem[]): Renamed[] {
  const found = new Map<string, Renamed>()
  const above = namesIn(folder.path).length
  for (const { place, path, base } of items) {
    const names = namesIn(place.path)
    const copies = relative(base, path).split(sep)
    for (const [depth, copy] of copies.entries()) {
      const name = names[above + depth]
      // An uploaded folder is saved as a tar.
      const isTar =
        depth === copies.length - 1 && isStoredFolder(place) && copy === `${name?.replace(/\.tar$/i, '')}.tar`
      const from = `/${names.slice(0, above + depth + 1).join('/')}`
      if (name === copy || isTar || found.has(from)) continue
      found.set(from, { from, to: join(base, ...copies.slice(0, depth + 1)) })
    }
  }
  return [...found.values()]
}

/** The local folder name for a folder of the account; the root has no name of its own. */
export const folderName = (place: FolderPlace): string => localName(basename(place.path) || 'tidenet')
