import { lstat, realpath, stat } from 'node:fs/promises'
import path, { basename, dirname, join, type PlatformPath, resolve } from 'node:path'
import { ToolError } from '@tidenet/contract/mcp/index'

/** The local folder that agents can read from and write to; nothing else on the machine. */
export interface Root {
  path: string
  /** A regular file below the folder, by its real path. @throws ToolError */
  fileToRead(path: string): Promise<{ path: string; size: number }>
  /** Where a new file below the folder can be written. @throws ToolError if something is there, unless it may be replaced */
  fileToWrite(path: string, replace: boolean): Promise<string>
}

/** Windows opens devices by these names in any folder and with any extension, also with dots or spaces after them. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i

/**
 * Whether a path is the folder or below it, by their normalized absolute paths.
 * @param paths of the system whose paths these are
 */
export function isWithin(folder: string, real: string, paths: PlatformPath = path): boolean {
  const below = paths.relative(folder, real)
  // On Windows, there is no relative path to another drive: the answer is absolute.
  if (paths.isAbsolute(below) || below === '..' || below.startsWith(`..${paths.sep}`)) return false
  // Folders of Windows can tell upper from lower case, but its relative paths do not.
  return paths.resolve(folder, below) === real
}

/** Whether each name of a path below the folder is one of a plain file: on Windows, no device and no stream of another file. */
export function hasPlainNames(folder: string, real: string, paths: PlatformPath = path): boolean {
  if (paths.sep === '/') return true
  const names = paths.relative(folder, real).split(paths.sep)
  return names.every((name) => {
    const [stem = ''] = name.split('.')
    return !name.includes(':') && !/[. ]$/.test(name) && !DEVICE.test(stem.trimEnd())
  })
}

/**
 * Whether a folder has more than files for an agent: it is the top of a drive, or it has the home folder or the configuration of this
 * program in it, or it is in that configuration. Some clients start servers in such a folder. All paths are real ones.
 */
export function isTooWide(
  folder: string,
  { home, config }: { home: string; config: string },
  paths: PlatformPath = path,
): boolean {
  if (paths.parse(folder).root === folder) return true
  return isWithin(folder, home, paths) || isWithin(folder, config, paths) || isWithin(config, folder, paths)
}

/** The real path of what may not exist yet. */
export const realPathOf = (path: string): Promise<string> =>
  realpath(path).catch(async () =>
    dirname(path) === path ? path : join(await realPathOf(dirname(path)), basename(path)),
  )

/** @throws ToolError if it is no folder */
export async function openRoot(folder: string): Promise<Root> {
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined || !(await stat(root)).isDirectory()) throw new ToolError(`There is no folder ${folder}.`)

  /** Symbolic links are followed before the comparison, so that none leads out. */
  const requireInside = (real: string, path: string) => {
    if (!isWithin(root, real))
      throw new ToolError(`${path} is outside the folder ${root}, to which this server is limited. Use a path in it.`)
  }
  const locate = (path: string): string => {
    if (path.includes('\0')) throw new ToolError('The path is not valid.')
    const asked = resolve(root, path)
    requireInside(asked, path)
    if (!hasPlainNames(root, asked)) throw new ToolError(`${path} is not the name of a file.`)
    return asked
  }
  return {
    path: root,
    async fileToRead(path) {
      const real = await realpath(locate(path)).catch(() => undefined)
      if (real === undefined) throw new ToolError(`There is no file ${path} in ${root}.`)
      requireInside(real, path)
      const found = await stat(real)
      // A pipe or a device would never end, or is no file of the user.
      if (!found.isFile()) throw new ToolError(`${path} is not a file.`)
      return { path: real, size: found.size }
    },
    async fileToWrite(path, replace) {
      const asked = locate(path)
      if (asked === root) throw new ToolError('Name a file, not the folder itself.')
      const folder = await realpath(dirname(asked)).catch(() => undefined)
      if (folder === undefined) throw new ToolError(`There is no folder ${dirname(path)} in ${root}.`)
      requireInside(folder, path)
      const target = join(folder, basename(asked))
      const there = await lstat(target).catch(() => undefined)
      if (there && !there.isFile()) throw new ToolError(`${path} exists and is not a file. Use another name.`)
      if (there && !replace) throw new ToolError(`${path} exists. Use another name, or set replace if the user agrees.`)
      return target
    },
  }
}
