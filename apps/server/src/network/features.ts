import type { Feature } from '../platform/feature.ts'
import * as audits from './audits/repository.ts'
import { runServerAudits } from './audits/server-audits.ts'
import { auditDue } from './audits/service.ts'
import { reviewStanding } from './audits/standing.ts'
import { watch } from './audits/watch.ts'
import { measureCertificates } from './certificates/metrics.ts'
import * as certificates from './certificates/repository.ts'
import type { Context } from './context.ts'
import { deleteGoneEdges } from './control/gone-edges.ts'
import * as inventories from './control/inventory.ts'
import { probeDue } from './control/reachability.ts'
import { type NodeReports, serveNodeControl } from './control/routes.ts'
import { notifyOfReach, notifyOfTrouble, notifyOwners } from './devices/notify.ts'
import * as deviceCodes from './devices/repository.ts'
import { serveDevices } from './devices/routes.ts'
import { refreshFigures } from './explorer/figures.ts'
import { serveExplorer } from './explorer/routes.ts'
import { measureNodes } from './nodes/figures.ts'
import * as firstBytes from './nodes/first-bytes.ts'
import { serveNetwork } from './nodes/network-routes.ts'
import * as owners from './nodes/owners.ts'
import * as reports from './nodes/reports-repository.ts'
import * as nodes from './nodes/repository.ts'
import { everyOf } from './nodes/times.ts'
import * as trafficStanding from './nodes/traffic-standing.ts'
import { place } from './placement/place.ts'
import * as relayChoices from './relays/choose.ts'
import * as relayed from './relays/relayed-repository.ts'
import * as relays from './relays/repository.ts'
import * as traffic from './traffic/record.ts'

/**
 * @param storage handles reports of nodes that change accounts
 * @param newestNode the version of the node program that the portal offers
 */
export const network = (storage: NodeReports, newestNode: () => string | undefined): readonly Feature<Context>[] => [
  {
    name: 'nodes',
    serve: serveNetwork,
    tasks: [{ name: 'probe', every: everyOf('watch'), run: probeDue }],
    measure: measureNodes,
    expired: (at) => [...nodes.expired(at), ...reports.expired(at), ...firstBytes.expired(at)],
  },
  {
    name: 'node control',
    serve: (serving, context) => serveNodeControl(serving, context, storage),
    tasks: [{ name: 'gone-edges', every: { usual: 60_000, quick: 1000 }, run: deleteGoneEdges }],
    expired: inventories.expired,
  },
  { name: 'placement', tasks: [{ name: 'place', every: everyOf('place'), run: place }] },
  {
    name: 'audits',
    tasks: [
      { name: 'watch', every: everyOf('watch'), run: watch },
      { name: 'audit', every: everyOf('audit'), run: auditDue },
      { name: 'standing', every: everyOf('watch'), run: reviewStanding },
      { name: 'own-audits', every: everyOf('watch'), run: runServerAudits },
    ],
    expired: audits.expired,
  },
  {
    name: 'devices',
    serve: serveDevices,
    expired: trafficStanding.expired,
    erase: ({ id }) => [...owners.erased(id), ...deviceCodes.erased(id)],
    exported: ({ id }) => [{ name: 'devices', rows: owners.exported(id) }],
    tasks: [
      { name: 'devices', every: everyOf('watch'), run: notifyOwners },
      {
        name: 'device-notices',
        every: { usual: 60_000, quick: 2000 },
        run: (context) => notifyOfTrouble(context, newestNode()),
      },
      { name: 'reach-notices', every: { usual: 60_000, quick: 2000 }, run: notifyOfReach },
    ],
  },
  {
    name: 'explorer',
    serve: serveExplorer,
    tasks: [{ name: 'figures', every: everyOf('figures'), run: refreshFigures }],
  },
  { name: 'certificates', measure: measureCertificates, expired: certificates.expired },
  {
    name: 'relays',
    expired: (at) => [...relays.expired(at), ...relayed.expired(at), relayChoices.expired(at)],
  },
  { name: 'traffic', expired: traffic.expired },
]
