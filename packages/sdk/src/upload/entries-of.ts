import type { PathedFile } from './types.ts'

/**
 * Files and folders dropped on a page, recursively, including empty folders: pass them to `uploadAsset`. Call it inside the `drop` handler
 * before any `await`: browsers clear the data when the handler returns.
 */
export async function entriesOf(dropped: DataTransfer): Promise<PathedFile[]> {
  const entries = Array.from(dropped.items, (item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  const files: PathedFile[] = []
  for (const entry of entries) if (entry) await collect(entry, files)
  return files
}

async function collect(entry: FileSystemEntry, files: PathedFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    files.push({ path: entry.fullPath.replace(/^\/+/, ''), file })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  let empty = true
  // A reader returns up to a hundred entries per call, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    empty = false
    for (const child of some) await collect(child, files)
  }
  if (empty) files.push({ path: `${entry.fullPath.replace(/^\/+/, '')}/` })
}
