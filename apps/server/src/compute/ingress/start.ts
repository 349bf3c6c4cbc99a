import type { AddressInfo } from 'node:net'
import { openCertificateFiles } from '@tidenet/certificates'
import { StartError } from '@tidenet/daemon'
import type { Context } from '../context.ts'
import { createIngress } from './proxy.ts'
import type { FindValidSessions } from './targets.ts'

/** Listens for visitors of programs. @throws StartError if the port is taken */
export async function startIngress(
  context: Context,
  findValidSessions: FindValidSessions,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const { clock, config, log } = context
  const { host, port, url, cert, key } = config.ingress
  if (url === '')
    throw new StartError('TIDENET_ROLES=ingress needs TIDENET_INGRESS_URL, such as https://apps.example.com.')
  const files = cert === '' ? undefined : await openCertificateFiles({ cert, key, clock, log })
  const ingress = createIngress(context, findValidSessions, files?.find)
  await new Promise<void>((resolve, reject) => {
    ingress.server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' || error.code === 'EACCES'
          ? new StartError(
              `Port ${port} on ${host} cannot be used (${error.code}). Choose another one with TIDENET_INGRESS_PORT.`,
            )
          : error,
      ),
    )
    ingress.server.listen(port, host, resolve)
  })
  const stop = async () => {
    await files?.stop()
    await ingress.stop()
  }
  return { port: (ingress.server.address() as AddressInfo).port, stop }
}
