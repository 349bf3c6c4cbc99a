import { readNodeName } from '@tidenet/daemon'
import type { Db } from '../../platform/db/db.ts'
import type { Context } from '../context.ts'
import { isRelayAt } from './repository.ts'

type Deps = { config: Pick<Context['config'], 'names'> }

/**
 * What tells nodes of one machine apart: the port of the URL, or the label of the node if others are behind the same port.
 * See `nodeNetworkOf`.
 */
export function placeOf({ config }: Deps, url: string): string {
  const { hostname, port } = new URL(url)
  return readNodeName(hostname, config.names.zone)?.label ?? port
}

/** Whether the URL of a node leads to a relay of another node. */
export async function isRelayed({ config }: Deps, db: Db, { id, url }: { id: string; url: string }): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const name = readNodeName(hostname, config.names.zone)
  return name !== undefined && isRelayAt(db, id, name.address, Number(port || 443))
}
