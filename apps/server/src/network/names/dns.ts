import { createChallenges, createDnsResponder, type DnsResponder } from '@tidenet/certificates'
import { isPublicAddress, NODE_LABEL, readNodeName, StartError } from '@tidenet/daemon'
import { certificateStore } from '../../platform/certificates/store.ts'
import type { Context } from '../context.ts'

/**
 * Starts the name server of the zone of nodes. Names contain their addresses, so it needs the database for the texts of orders only.
 * @returns undefined if this server has none
 * @throws StartError if the port cannot be opened
 */
export async function startDns(
  context: Pick<Context, 'config' | 'db' | 'keys' | 'clock' | 'log'>,
): Promise<DnsResponder | undefined> {
  const { config, log } = context
  const { zone, tls, dns, nameservers, acme } = config.names
  if (!dns) return undefined
  const texts = tls === 'acme' ? createChallenges(certificateStore(context), context.clock).texts : async () => []
  const responder = await createDnsResponder({
    zone,
    listen: dns,
    nameservers,
    addresses: (name) => addressesOf(name, zone, config.privateNodes),
    texts,
    wildcardsOnly: true,
    ...(acme.issuers.length > 0 && { issuers: acme.issuers }),
    log,
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `The name server cannot use port ${dns.port} on ${dns.host} (${error.code}). Choose another address with TIDENET_DNS, such as the public one.`,
    )
  })
  log.info({ zone, host: dns.host, port: responder.port }, 'the name server of nodes listens')
  return responder
}

/**
 * The address in a name; none for the label alone.
 * @param privateToo names of private addresses exist. Otherwise a page could reach into its visitor's home by them, past the browser's rules
 * for other origins
 */
export function addressesOf(name: string, zone: string, privateToo: boolean): readonly string[] | undefined {
  const own = readNodeName(name, zone)
  if (own) return privateToo || isPublicAddress(own.address) ? [own.address] : undefined
  // Names that others are below of exist.
  return name === zone || NODE_LABEL.test(name.slice(0, -zone.length - 1)) ? [] : undefined
}
