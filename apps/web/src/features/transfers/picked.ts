import { readDrop } from './read-drop.ts'

/** A file with its path in the picked folder: `holiday/day 1/beach.jpg`. */
export interface PickedFile {
  path: string
  file: File
}

/** One upload: a file, or a folder with its files; `empty` lists empty folders, such as `holiday/plans/`. */
export type Picked =
  | { kind: 'file'; name: string; size: number; file: File; importCar?: true }
  | { kind: 'folder'; name: string; size: number; files: PickedFile[]; empty: string[] }

/** A CAR file whose content is uploaded; others stay as they are. */
export const withContentOfCar = (picked: Picked): Picked =>
  picked.kind === 'file' && /.\.car$/i.test(picked.name)
    ? { ...picked, name: picked.name.replace(/\.car$/i, ''), importCar: true }
    : picked

/** The CAR file itself. */
export const asFile = <T extends Picked>(picked: T): T =>
  picked.kind === 'file' && picked.importCar ? { ...picked, name: picked.file.name, importCar: undefined } : picked

/** Files chosen in a dialog, grouped by their top folder. Browsers do not report empty folders here. */
export function pickedFromInput(list: Iterable<File>): Picked[] {
  return group([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })))
}

/** Dropped files and folders, read recursively. Call it within the drop event: items are not available later. */
export const pickedFromDrop = (transfer: DataTransfer): Promise<Picked[]> => pickedFromEntries(...readDrop(transfer))

/** Like `pickedFromDrop`, from a drop that was read before. */
export async function pickedFromEntries(entries: FileSystemEntry[], files: File[]): Promise<Picked[]> {
  if (entries.length === 0) return pickedFromInput(files)
  const found: Found[] = []
  for (const entry of entries) await readEntry(entry, entry.name, found)
  return group(found)
}

/** A file with its path, or the path of an empty folder. */
type Found = PickedFile | { path: string; file?: undefined }

const fileOf = (entry: FileSystemEntry) =>
  new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))

/** Adds the entry, or all that is in it, to `found`. */
async function readEntry(entry: FileSystemEntry, path: string, found: Found[]): Promise<void> {
  if (entry.isFile) {
    found.push({ path, file: await fileOf(entry) })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // `readEntries` returns up to 100 entries per call, and none at the end.
  for (let isEmpty = true; ; isEmpty = false) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) {
      if (isEmpty) found.push({ path: `${path}/` })
      return
    }
    const files = batch.filter(({ isFile }) => isFile)
    const opened = await Promise.all(files.map(fileOf))
    for (const file of opened) found.push({ path: `${path}/${file.name}`, file })
    for (const child of batch) if (!child.isFile) await readEntry(child, `${path}/${child.name}`, found)
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
