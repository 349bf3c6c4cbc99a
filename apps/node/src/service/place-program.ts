import { chmod, copyFile, mkdir, open, rename } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { askRelease } from '../updates/programs.ts'

/** Where the service of a data folder has its program. */
export const placeOfProgram = (source: string, data: string): string =>
  join(data, 'program', `tidenet-node${extname(source).toLowerCase() === '.exe' ? '.exe' : ''}`)

/**
 * Copies the program into the data folder, which the service may write: there it can replace itself. A newer one that is there stays, so that
 * `install` with an old download does not go back.
 */
export async function placeProgram(source: string, data: string): Promise<void> {
  const target = placeOfProgram(source, data)
  if (source === target) return
  const there = await askRelease(target).catch(() => undefined)
  const own = await askRelease(source)
  if (there && there.time >= own.time) return
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = `${target}.new`
  await copyFile(source, draft)
  await chmod(draft, 0o700)
  const handle = await open(draft, 'r+')
  await handle.sync()
  await handle.close()
  // Windows does not replace a file that runs, but renames it.
  if (process.platform === 'win32' && there) await rename(target, `${target}.previous`)
  await rename(draft, target)
}
