import { dropped } from './dropped.ts'

/** A file with its place in the folder it came with: `holiday/day 1/beach.jpg`. */
export interface PickedFile {
  path: string
  file: File
}

/** What becomes one upload: a file, or a folder with all in it; `empty` has folders that nothing is in, such as `holiday/plans/`. */
export type Picked =
  | { kind: 'file'; name: string; size: number; file: File }
  | { kind: 'folder'; name: string; size: number; files: PickedFile[]; empty: string[] }

/** What was chosen in a dialog, folders by their first part. Of empty folders a dialog tells nothing. */
export function pickedFromInput(list: Iterable<File>): Picked[] {
  return group([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })))
}

/** Whether a drag carries files, as far as a page may know before the drop. */
export const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** What was dropped, folders read to the bottom. Call it within the drop event: its items are gone afterwards. */
export const pickedFromDrop = (transfer: DataTransfer): Promise<Picked[]> => pickedFromEntries(...dropped(transfer))

/** The same from what `dropped` kept of the event. */
export async function pickedFromEntries(entries: FileSystemEntry[], files: File[]): Promise<Picked[]> {
  if (entries.length === 0) return pickedFromInput(files)
  return group((await Promise.all(entries.map((entry) => readEntry(entry, entry.name)))).flat())
}

/** A file in its place, or the place of an empty folder. */
type Found = PickedFile | { path: string; file?: undefined }

async function readEntry(entry: FileSystemEntry, path: string): Promise<Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: Found[] = []
  // A reader hands out at most a hundred at a time, and none when it is done.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return found.length > 0 ? found : [{ path: `${path}/` }]
    for (const child of batch) found.push(...(await readEntry(child, `${path}/${child.name}`)))
  }
}

function group(found: readonly Found[]): Picked[] {
  const folders = new Map<string, { files: PickedFile[]; empty: string[] }>()
  const picked: Picked[] = []
  for (const { path, file } of found) {
    const slash = path.indexOf('/')
    if (slash < 0) {
      if (file) picked.push({ kind: 'file', name: file.name, size: file.size, file })
      continue
    }
    const name = path.slice(0, slash)
    const inside = folders.get(name) ?? { files: [], empty: [] }
    folders.set(name, inside)
    if (file) inside.files.push({ path, file })
    else inside.empty.push(path)
  }
  for (const [name, inside] of folders)
    picked.push({ kind: 'folder', name, size: inside.files.reduce((sum, { file }) => sum + file.size, 0), ...inside })
  return picked
}
