import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { StartError } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { openCertificates } from './certificates.ts'
import { createPlainServer } from './plain.ts'
import { createIngress } from './proxy.ts'
import type { FindValidSessions } from './targets.ts'

export interface RunningIngress {
  port: number
  /** Of plain HTTP beside HTTPS, and of the name server; 0: there is none. */
  httpPort: number
  dnsPort: number
  stop(): Promise<void>
}

/** Listens for visitors of programs. @throws StartError if a port is taken */
export async function startIngress(context: Context, findValidSessions: FindValidSessions): Promise<RunningIngress> {
  const { config, log } = context
  const { host, port, httpPort, url } = config.ingress
  if (url === '')
    throw new StartError('TIDENET_ROLES=ingress needs TIDENET_INGRESS_URL, such as https://apps.example.com.')
  const cleanups: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  }
  try {
    const certificates = await openCertificates(context)
    cleanups.push(certificates.stop)
    const ingress = createIngress(context, findValidSessions, certificates.find)
    await listen(ingress.server, { host, port, setting: 'TIDENET_INGRESS_PORT' })
    cleanups.push(ingress.stop)
    let plain: Server | undefined
    if (httpPort !== undefined) {
      const server = createPlainServer({ url, httpAnswer: certificates.httpAnswer, isKnown: ingress.isKnown })
      await listen(server, { host, port: httpPort, setting: 'TIDENET_INGRESS_HTTP_PORT' })
      cleanups.push(async () => {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      })
      plain = server
    }
    const { hostname } = new URL(url)
    for (const { driver } of context.clusters.all())
      await driver
        .leadToIngress?.(hostname)
        .catch((err: unknown) => log.warn({ err }, 'the cluster does not lead addresses of programs to this ingress'))
    log.info({ url, port: portOf(ingress.server), httpPort: plain && portOf(plain) }, 'the ingress listens')
    return {
      port: portOf(ingress.server),
      httpPort: plain ? portOf(plain) : 0,
      dnsPort: certificates.dnsPort,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port

/** @throws StartError */
async function listen(
  server: Pick<Server, 'listen' | 'once' | 'off'>,
  { host, port, setting }: { host: string; port: number; setting: string },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' || error.code === 'EACCES'
          ? new StartError(
              `Port ${port} on ${host} cannot be used (${error.code}). Choose another one with ${setting}.`,
            )
          : error,
      )
    server.once('error', onError)
    server.listen(port, host, () => {
      server.off('error', onError)
      resolve()
    })
  })
}
