import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'

/**
 * Two files decide in which folder a node works while it moves: `moving.json` in the new one, until all is there, and `moved.json` in the old
 * one from the moment that the new one counts. Writing the second is the switch: before it only the old folder works, after it only the new one.
 */
const MOVING = 'moving.json'
export const MOVED = 'moved.json'

const moving = z.object({ from: z.string() })
const moved = z.object({
  to: z.string(),
  /** The service that starts the node; null: none. */
  service: z.object({ scope: z.enum(['user', 'system']), account: z.string().nullable() }).nullable(),
})
export type Moved = z.infer<typeof moved>

/** The path without links; of a folder that does not exist yet, as it will be. */
export const pathOf = (folder: string): Promise<string> => realpath(folder).catch(() => resolve(folder))

async function read<T>(path: string, shape: z.ZodType<T>): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    throw new StartError(`${path} is damaged. Run tidenet-node move again. 文件已损坏，请重新执行 tidenet-node move。`)
  }
}

export const readMoving = (folder: string) => read(join(folder, MOVING), moving)
export const readMoved = (folder: string) => read(join(folder, MOVED), moved)
export const markMoving = (folder: string, from: string) =>
  writeDurably(join(folder, MOVING), JSON.stringify({ from }), 0o600)
export const markMoved = (folder: string, mark: Moved) => writeDurably(join(folder, MOVED), JSON.stringify(mark), 0o600)
export const movingFile = (folder: string) => join(folder, MOVING)

/**
 * A node with the key of another one that works would harm both.
 * @throws StartError if the node moved away from this folder, or has not arrived in it yet
 */
export async function requireMoved(folder: string): Promise<void> {
  const gone = await readMoved(folder)
  if (gone)
    throw new StartError(
      `This node has moved to ${gone.to}. Start it there. 此节点已迁移到 ${gone.to}，请在该目录启动。`,
      { permanent: true },
    )
  const coming = await readMoving(folder)
  if (!coming || (await readMoved(coming.from))?.to === (await pathOf(folder))) return
  throw new StartError(
    `This node is still moving here from ${coming.from}. Run tidenet-node move again. 节点正从 ${coming.from} 迁移到此目录，请重新执行 tidenet-node move。`,
    { permanent: true },
  )
}
