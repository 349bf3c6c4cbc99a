import type { Feature } from '../platform/feature.ts'
import { handle } from '../platform/jobs/job.ts'
import * as acceleration from './acceleration/repository.ts'
import { reviewDue } from './acceleration/review.ts'
import { serveAcceleration } from './acceleration/routes.ts'
import { expireTempFiles } from './anonymous/expired.ts'
import { serveTempFiles } from './anonymous/routes.ts'
import * as formerUploads from './assets/former-repository.ts'
import { releaseAttachments } from './attachments/service.ts'
import { reportLostCopies } from './contents/lost-copies.ts'
import * as receipts from './contents/receipts.ts'
import { contentsToRelease, releaseContents } from './contents/release.ts'
import type { Context } from './context.ts'
import * as nodeTraffic from './download-traffic/node-traffic-repository.ts'
import * as downloadTraffic from './download-traffic/served-repository.ts'
import { serveDownloads } from './downloads/routes.ts'
import { expireAssets, expireReservations } from './files/expired.ts'
import { serveAssets } from './files/routes.ts'
import { serveFolders } from './folders/routes.ts'
import * as grants from './grants/repository.ts'
import { serveShares } from './shares/routes.ts'
import { notifyOfExpiry } from './third-party/notify.ts'
import { accountToRecheck, planReplicas, recheckAccount } from './third-party/plan.ts'
import { restoreContents } from './third-party/restore.ts'
import { serveThirdParty } from './third-party/routes.ts'
import { workOnReplicas } from './third-party/work.ts'
import { planning } from './third-party-records/records.ts'
import { issueDownloadReceipts } from './traces/download-receipts.ts'
import * as traces from './traces/repository.ts'
import { serveTraces } from './traces/routes.ts'
import * as supports from './traces/support-repository.ts'
import { purgeDue } from './trash/purge.ts'
import { serveTrash } from './trash/routes.ts'
import * as proofs from './uploads/proofs.ts'
import { serveUploads } from './uploads/routes.ts'
import { serveUsage } from './usage/routes.ts'
import { serveVault } from './vault/routes.ts'

const MINUTELY = { usual: 60_000, quick: 1000 }

export const storage: readonly Feature<Context>[] = [
  { name: 'folders', serve: serveFolders },
  {
    name: 'assets',
    serve: serveAssets,
    tasks: [
      { name: 'end-assets', every: MINUTELY, run: expireAssets },
      { name: 'end-reservations', every: MINUTELY, run: expireReservations },
    ],
    expired: formerUploads.expired,
  },
  {
    name: 'contents',
    jobs: [
      handle(contentsToRelease, (context: Context, { cids }) =>
        context.db.transaction((tx) => releaseContents(context, tx, cids)),
      ),
    ],
    tasks: [{ name: 'lost-copies', every: MINUTELY, run: reportLostCopies }],
  },
  { name: 'trash', serve: serveTrash, tasks: [{ name: 'purge', every: MINUTELY, run: purgeDue }] },
  { name: 'vault', serve: serveVault },
  { name: 'uploads', serve: serveUploads, expired: proofs.expired },
  { name: 'grants', expired: grants.expired },
  { name: 'receipts', expired: receipts.expired },
  { name: 'downloads', serve: serveDownloads },
  { name: 'shares', serve: serveShares },
  {
    name: 'anonymous files',
    serve: serveTempFiles,
    tasks: [{ name: 'end-temp-files', every: MINUTELY, run: expireTempFiles }],
  },
  { name: 'attachments', tasks: [{ name: 'release-attachments', every: MINUTELY, run: releaseAttachments }] },
  {
    name: 'acceleration',
    serve: serveAcceleration,
    tasks: [{ name: 'acceleration', every: { usual: 5000, quick: 500 }, run: reviewDue }],
    expired: acceleration.expired,
  },
  {
    name: 'third-party replicas',
    serve: serveThirdParty,
    jobs: [handle(accountToRecheck, recheckAccount)],
    tasks: [
      { name: 'third-party-plan', every: { usual: 15_000, quick: 500 }, run: planReplicas },
      { name: 'third-party-work', role: 'jobs', every: { usual: 5000, quick: 500 }, run: workOnReplicas },
      { name: 'third-party-restore', role: 'jobs', every: { usual: 5000, quick: 500 }, run: restoreContents },
      { name: 'third-party-expiry', role: 'jobs', every: { usual: 600_000, quick: 5000 }, run: notifyOfExpiry },
    ],
    expired: (at) => [planning.expiredTurns(at)],
  },
  { name: 'usage', serve: serveUsage },
  { name: 'download traffic', expired: (at) => [...downloadTraffic.expired(at), ...nodeTraffic.expired(at)] },
  {
    name: 'traces',
    serve: serveTraces,
    tasks: [{ name: 'download-receipts', every: { usual: 2000, quick: 500 }, run: issueDownloadReceipts }],
    expired: (at) => [...traces.expired(at), ...supports.expired(at)],
  },
]
