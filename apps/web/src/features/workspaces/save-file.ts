import { chooseSaveLocation } from '../transfers/save-location.ts'
import { type ProgramFile, type Run, readFile } from './program-files.ts'

/** Downloads a file of a program, piece by piece. Large ones go to a place that the user chooses first, where browsers can do that. */
export async function saveFile(
  run: Run,
  path: string,
  file: ProgramFile,
  onRead: (bytes: number) => void,
): Promise<void> {
  const name = file.name.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_')
  const place = await chooseSaveLocation(name, file.size)
  const target = await place?.createWritable()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let read = 0
  try {
    for await (const piece of readFile(run, path, file.name, file.size)) {
      if (target) await target.write(piece)
      else parts.push(piece)
      read += piece.length
      onRead(read)
    }
    await target?.close()
  } catch (error) {
    // Nothing incomplete is kept.
    await target?.abort().catch(() => {})
    throw error
  }
  if (target) return
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
