import { basename, join } from 'node:path'
import type { Storage } from '@tidenet/storage'
import { ended, localName, marked } from './paths.ts'
import { type AssetPlace, type FolderPlace, itemsOf, type Place, placeOf } from './places.ts'

/** A stored file or folder, and where on this machine it is to lie. */
export interface Wanted {
  place: AssetPlace
  path: string
  /** The folder that was asked for; what lies between it and `path` was named by others. */
  base: string
  /**
   * It is one of many of a folder: folders are made for it, and what is there already counts as saved where nobody can tell whether it is
   * the same.
   */
  inTree: boolean
}

export const isStoredFolder = ({ asset }: AssetPlace): boolean => asset.UserAssetDetail.AssetType === 'folder'

/** The name on this machine: a stored folder comes as a tar unless it is unpacked. */
export function fileName(place: AssetPlace, extract: boolean): string {
  const name = localName(place.name)
  return isStoredFolder(place) && !extract ? ended(name.replace(/\.tar$/i, ''), '.tar') : name
}

/** All that lies below a folder of the account, each with its path below `into`; of two with one name the second is marked by its CID. */
export async function* allBelow(
  storage: Storage,
  folder: FolderPlace,
  into: string,
  extract: boolean,
  base = into,
): AsyncGenerator<Wanted> {
  const taken = new Set<string>()
  // Many disks do not tell names apart by case, or by the form of their letters.
  const asDisksSeeIt = (name: string) => name.normalize('NFC').toLowerCase().normalize('NFC')
  const free = (name: string, mark: string) => {
    const found = taken.has(asDisksSeeIt(name)) ? marked(name, mark) : name
    taken.add(asDisksSeeIt(found))
    return join(into, found)
  }
  const folders: { place: FolderPlace; path: string }[] = []
  for await (const item of itemsOf(storage, folder.id)) {
    const place: Place = placeOf(item, folder.path)
    if (place.kind === 'folder') folders.push({ place, path: free(localName(place.name), String(place.id)) })
    else yield { place, path: free(fileName(place, extract), place.cid.slice(-8)), base, inTree: true }
  }
  for (const { place, path } of folders) yield* allBelow(storage, place, path, extract, base)
}

/** The folder of this machine that takes the contents of an account's folder; the root has no name of its own. */
export const folderName = (place: FolderPlace): string => localName(basename(place.path) || 'tidenet')
