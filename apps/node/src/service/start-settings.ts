import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '@tidenet/daemon/start-error'
import { z } from 'zod'
import { writeDurably } from '../contents/durable.ts'

/** Settings with which an installed node starts, in its data folder. Only its owner can read them: there may be a join token. */
const FILE = 'start.json'
const shape = z.record(z.string().regex(/^TIDENET_\w+$/), z.string())

/**
 * The settings of a data folder; none if the node is not installed.
 * @throws StartError if the file was damaged
 */
export function readStartSettings(data: string): Record<string, string> {
  if (data === '') return {}
  let text: string
  try {
    text = readFileSync(join(data, FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    throw new StartError(`${join(data, FILE)} is damaged. Run tidenet-node install again. 文件已损坏，请重新安装。`)
  }
}

export async function writeStartSettings(data: string, env: Record<string, string>): Promise<void> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  await writeDurably(join(data, FILE), `${JSON.stringify(env, undefined, 1)}\n`, 0o600)
}
