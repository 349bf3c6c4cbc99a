import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { ToolError } from '@tidenet/contract/mcp/index'

/** The local folder that agents can read from and write to; nothing else on the machine. */
export interface Root {
  path: string
  /** A regular file below the folder, by its real path. @throws ToolError */
  fileToRead(path: string): Promise<{ path: string; size: number }>
  /** Where a new file below the folder can be written. @throws ToolError if something is there, unless it may be replaced */
  fileToWrite(path: string, replace: boolean): Promise<string>
}

/** @throws ToolError if it is no folder */
export async function openRoot(folder: string): Promise<Root> {
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined || !(await stat(root)).isDirectory()) throw new ToolError(`There is no folder ${folder}.`)

  /** Symbolic links are followed before the comparison, so that none leads out. */
  const requireInside = (real: string, path: string) => {
    const below = relative(root, real)
    if (below === '..' || below.startsWith(`..${sep}`) || resolve(root, below) !== real)
      throw new ToolError(`${path} is outside the folder ${root}, to which this server is limited. Use a path in it.`)
  }
  const locate = (path: string): string => {
    if (path.includes('\0')) throw new ToolError('The path is not valid.')
    const asked = resolve(root, path)
    requireInside(asked, path)
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
