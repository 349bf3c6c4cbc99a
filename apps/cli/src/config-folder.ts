import { homedir } from 'node:os'
import { join } from 'node:path'

export const configFolder = (): string =>
  process.env.TIDENET_CONFIG || join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'tidenet')
