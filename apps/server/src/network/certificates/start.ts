import { trustZone } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { startDns } from '../names/dns.ts'
import { extraRootOf } from '../names/local-ca.ts'
import { startCertificateQueue } from './queue.ts'

/**
 * Starts what names of nodes need on this server: the name server with the role `dns`, orders of certificates with the role `certs`. Without
 * a zone: nothing.
 * @returns what stops it
 * @throws StartError
 */
export async function startNames(
  context: Pick<Context, 'config' | 'db' | 'keys' | 'clock' | 'log'>,
): Promise<{ stop(): Promise<void> }> {
  const { roles, names } = context.config
  if (names.zone === '') return { stop: async () => {} }
  trustZone(names.zone, await extraRootOf(context))
  const dns = roles.includes('dns') ? await startDns(context) : undefined
  const queue = roles.includes('certs') && names.tls === 'acme' ? await startCertificateQueue(context) : undefined
  return {
    async stop() {
      await queue?.stop()
      await dns?.close()
    },
  }
}
