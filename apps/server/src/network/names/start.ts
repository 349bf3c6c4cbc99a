import { trustZone } from '@tidenet/daemon'
import { extraRootOf } from '../certificates/service.ts'
import type { Context } from '../context.ts'
import { startDns } from './dns.ts'

/**
 * Starts what names of nodes need on this server: the name server with the role `dns`, the local CA with the role `certs`. Without a zone:
 * nothing.
 * @returns what stops it
 * @throws StartError
 */
export async function startNames(context: Pick<Context, 'config' | 'log'>): Promise<{ stop(): Promise<void> }> {
  const { roles, names } = context.config
  if (names.zone === '') return { stop: async () => {} }
  trustZone(names.zone, await extraRootOf(context))
  const dns = roles.includes('dns') ? await startDns(context) : undefined
  return { stop: async () => dns?.close() }
}
