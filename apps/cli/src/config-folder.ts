import { accessSync, constants, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const configFolder = (): string =>
  process.env.TIDENET_CONFIG || join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'tidenet')

/** The folder, created if it is missing; undefined if this user cannot write to it, as in containers without a home. */
export function findWritableConfigFolder(): string | undefined {
  try {
    const folder = configFolder()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return folder
  } catch {
    return undefined
  }
}
