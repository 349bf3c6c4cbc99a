import { join } from 'node:path'
import { type LocalCa, openLocalCa } from '@tidenet/certificates'
import type { Context } from '../context.ts'

/** By folder: reading the key takes time, and servers of tests share a process. */
const authorities = new Map<string, Promise<LocalCa>>()

/** The CA of a network on one machine. @throws StartError */
export function localCaOf({ config }: Pick<Context, 'config'>): Promise<LocalCa> {
  const folder = join(config.data, 'secrets')
  const opened = authorities.get(folder) ?? openLocalCa(folder, config.names.zone)
  authorities.set(folder, opened)
  return opened
}

/** The CA that nodes must trust beside those of Node.js, PEM; empty: none. */
export const extraRootOf = async (context: Pick<Context, 'config'>): Promise<string> =>
  context.config.names.tls === 'local' ? (await localCaOf(context)).root : ''
