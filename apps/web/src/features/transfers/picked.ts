import { readDrop } from './read-drop.ts'

/** A file with its path in the picked folder: `holiday/day 1/beach.jpg`. */
export interface PickedFile {
  path: string
  file: File
}

/** One upload: a file, or a folder with its files; `empty` lists empty folders, such as `holiday/plans/`. */
export type Picked =
  | { kind: 'file'; name: string; size: number; file: File }
  | { kind: 'folder'; name: string; size: number; files: PickedFile[]; empty: string[] }

/** Files chosen in a dialog, grouped by their top folder. Browsers do not report empty folders here. */
export function pickedFromInput(list: Iterable<File>): Picked[] {
  return group([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })))
}

/** Whether a drag contains files, as far as it is known before the drop. */
export const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Dropped files and folders, read recursively. Call it within the drop event: items are not available later. */
export const pickedFromDrop = (transfer: DataTransfer): Promise<Picked[]> => pickedFromEntries(...readDrop(transfer))

/** Like `pickedFromDrop`, from a drop that was read before. */
export async function pickedFromEntries(entries: FileSystemEntry[], files: File[]): Promise<Picked[]> {
  if (entries.length === 0) return pickedFromInput(files)
  return group((await Promise.all(entries.map((entry) => readEntry(entry, entry.name)))).flat())
}

/** A file with its path, or the path of an empty folder. */
type Found = PickedFile | { path: string; file?: undefined }

async function readEntry(entry: FileSystemEntry, path: string): Promise<Found[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: Found[] = []
  // `readEntries` returns up to 100 entries per call, and none at the end.
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
