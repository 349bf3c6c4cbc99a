// A relay in a process of its own, as in a node. Prints port and name; ends with its stdin. Usage: part-relay.mjs <folder of the CA>
import { openLocalCa } from '@tidenet/certificates'
import { createClock, createLogger, nodeNameOf } from '@tidenet/daemon'
import { startRelay } from '@tidenet/relay'
import { contextOf, makeIdentity, ZONE } from './part-relay-device.mjs'

const ca = await openLocalCa(process.argv[2], ZONE)
const { label } = makeIdentity()
const secureContext = await contextOf(ca, label)
const relay = await startRelay({
  listen: { host: '127.0.0.1', port: 0 },
  zone: ZONE,
  label,
  secureContext: () => secureContext,
  readTicket: async (ticket) => JSON.parse(ticket),
  onOwnVisitor: (socket) => socket.destroy(),
  // All devices of the benchmark have one address.
  limits: { newPerSecond: 1e6, devicesPerNetwork: 1e6, openPerNetwork: 1e6 },
  // As in a node without limits, which counts all the same.
  pace: { isOpen: true, spend: () => 0 },
  clock: createClock(),
  log: createLogger('relay', 'silent'),
})
console.log(JSON.stringify({ port: relay.port, name: nodeNameOf('127.0.0.1', label, ZONE) }))
process.stdin.resume()
process.stdin.on('end', () => process.exit())
