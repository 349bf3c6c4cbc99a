import { TRASH_LIFE } from '@tidenet/contract'
import { ago } from '../platform/ago.ts'
import type { Feature } from '../platform/feature.ts'
import { handle } from '../platform/jobs/job.ts'
import * as acceleration from './acceleration/repository.ts'
import { reviewDue } from './acceleration/review.ts'
import { serveAcceleration } from './acceleration/routes.ts'
import { expireTempFiles } from './anonymous/expired.ts'
import { serveTempFiles } from './anonymous/routes.ts'
import * as formerUploads from './assets/former-repository.ts'
import * as assets from './assets/repository.ts'
import * as assetVersions from './assets/versions-repository.ts'
import { releaseAttachments } from './attachments/service.ts'
import { reportLostCopies } from './contents/lost-copies.ts'
import * as receipts from './contents/receipts.ts'
import { contentsToRelease, releaseContents } from './contents/release.ts'
import type { Context } from './context.ts'
import * as nodeTraffic from './download-traffic/node-traffic-repository.ts'
import * as downloadTraffic from './download-traffic/served-repository.ts'
import { serveDownloads } from './downloads/routes.ts'
import { serveShortLinks } from './downloads/short-link-routes.ts'
import { announceEndings } from './files/endings.ts'
import { ERASE_BATCH, eraseAssets, eraseReservations, eraseUnlisted, eraseVersions } from './files/erase.ts'
import { expireAssets, expireReservations } from './files/expired.ts'
import { serveAssets } from './files/routes.ts'
import { serveFolderUploads } from './folder-uploads/routes.ts'
import { serveFolders } from './folders/routes.ts'
import * as grants from './grants/repository.ts'
import { endCancelled } from './imports/leases.ts'
import * as pins from './imports/pins-repository.ts'
import { servePins } from './imports/pins-routes.ts'
import * as imports from './imports/repository.ts'
import { serveImports } from './imports/routes.ts'
import { RECEIPT_LIFE } from './lifetimes.ts'
import * as links from './links/repository.ts'
import * as shortLinks from './links/short-links.ts'
import * as deletions from './objects/deletions-repository.ts'
import { expireObjects } from './objects/lifecycle.ts'
import * as objects from './objects/repository.ts'
import { serveObjects } from './objects/routes.ts'
import * as bucketSettings from './objects/settings-repository.ts'
import { serveObjectUploads } from './objects/upload-routes.ts'
import * as objectUploads from './objects/uploads-repository.ts'
import { preparePublications } from './publications/prepare.ts'
import * as publications from './publications/repository.ts'
import { servePublications } from './publications/routes.ts'
import { serveShares } from './shares/routes.ts'
import { notifyOfExpiry } from './third-party/notify.ts'
import { accountToRecheck, planReplicas, recheckAccount } from './third-party/plan.ts'
import { restoreContents } from './third-party/restore.ts'
import { serveThirdParty } from './third-party/routes.ts'
import { workOnReplicas } from './third-party/work.ts'
import * as choices from './third-party-records/choices-repository.ts'
import * as listed from './third-party-records/list-repository.ts'
import { planning } from './third-party-records/records.ts'
import * as thumbnails from './thumbnails/repository.ts'
import { serveThumbnails } from './thumbnails/routes.ts'
import { dropThumbnails } from './thumbnails/service.ts'
import { issueDownloadReceipts } from './traces/download-receipts.ts'
import * as downloadReceipts from './traces/receipts-repository.ts'
import * as traces from './traces/repository.ts'
import { serveTraces } from './traces/routes.ts'
import * as supports from './traces/support-repository.ts'
import { eraseTrashed, purgeDue } from './trash/purge.ts'
import * as trash from './trash/repository.ts'
import { serveTrash } from './trash/routes.ts'
import * as tree from './tree/repository.ts'
import { notifyOfUploads } from './upload-links/notify.ts'
import * as uploadLinks from './upload-links/repository.ts'
import { serveUploadLinks } from './upload-links/routes.ts'
import * as proofs from './uploads/proofs.ts'
import { serveUploads } from './uploads/routes.ts'
import { alertOfUsage } from './usage/alerts.ts'
import * as usageAlerts from './usage/alerts-repository.ts'
import * as usage from './usage/repository.ts'
import { serveUsage } from './usage/routes.ts'
import * as vault from './vault/repository.ts'
import { serveVault } from './vault/routes.ts'
import { serveVersions } from './versions/routes.ts'
import { purgeVersions } from './versions/service.ts'

const MINUTELY = { usual: 60_000, quick: 1000 }

export const storage: readonly Feature<Context>[] = [
  {
    // Files first: triggers of links and folders look for them.
    name: 'folders',
    serve: serveFolders,
    erase: (account) => [
      (context) => eraseAssets(context, account),
      (context) => eraseTrashed(context, account, ERASE_BATCH),
      (context) => eraseVersions(context, account),
      (context) => eraseReservations(context, account),
      (context) => eraseUnlisted(context, account),
      ...trash.erased(account.id),
      ...links.erased(account.id),
      ...shortLinks.erased(account.id),
      ...tree.erased(account.id),
      ...formerUploads.erased(account.id),
    ],
    exported: ({ id }) => [
      { name: 'folders', rows: tree.exported(id) },
      { name: 'files', rows: assets.exported(id) },
      { name: 'versions', rows: assetVersions.exported(id) },
      { name: 'trash', rows: trash.exported(id) },
      { name: 'links', rows: links.exported(id) },
      { name: 'short_links', rows: shortLinks.exported(id) },
    ],
  },
  {
    name: 'objects',
    serve: serveObjects,
    tasks: [{ name: 'expire-objects', every: MINUTELY, run: expireObjects }],
    expired: (at) => [
      ...objects.expired(),
      ...bucketSettings.expired(),
      ...deletions.expired(new Date(at.getTime() + TRASH_LIFE)),
    ],
    erase: ({ id }) => [...objects.erased(id), ...bucketSettings.erased(id), ...deletions.erased(id)],
    exported: ({ id }) => [
      { name: 'objects', rows: objects.exported(id) },
      { name: 'bucket_settings', rows: bucketSettings.exported(id) },
      { name: 'object_deletions', rows: deletions.exported(id) },
    ],
  },
  {
    name: 'object uploads',
    serve: serveObjectUploads,
    expired: (at) => objectUploads.expired(ago(at, RECEIPT_LIFE)),
    erase: ({ id }) => objectUploads.erased(id),
    exported: ({ id }) => [{ name: 'object_uploads', rows: objectUploads.exported(id) }],
  },
  {
    name: 'imports',
    serve: serveImports,
    tasks: [{ name: 'end-imports', every: MINUTELY, run: endCancelled }],
    expired: imports.expired,
    erase: ({ id }) => imports.erased(id),
    exported: ({ id }) => [{ name: 'imports', rows: imports.exported(id) }],
  },
  {
    name: 'pins',
    serve: servePins,
    expired: pins.expired,
    erase: ({ id }) => pins.erased(id),
    exported: ({ id }) => [{ name: 'pins', rows: pins.exported(id) }],
  },
  { name: 'folder-uploads', serve: serveFolderUploads },
  {
    name: 'assets',
    serve: serveAssets,
    tasks: [
      { name: 'announce-endings', role: 'jobs', every: { usual: 600_000, quick: 1000 }, run: announceEndings },
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
  { name: 'versions', serve: serveVersions, tasks: [{ name: 'purge-versions', every: MINUTELY, run: purgeVersions }] },
  {
    name: 'thumbnails',
    serve: serveThumbnails,
    tasks: [{ name: 'drop-thumbnails', every: MINUTELY, run: dropThumbnails }],
    erase: ({ id }) => thumbnails.erased(id),
    exported: ({ id }) => [{ name: 'thumbnails', rows: thumbnails.exported(id) }],
  },
  {
    name: 'vault',
    serve: serveVault,
    erase: ({ id }) => vault.erased(id),
    exported: ({ id }) => [{ name: 'ways_to_unlock', personal: true, rows: vault.exported(id) }],
  },
  { name: 'uploads', serve: serveUploads, expired: proofs.expired, erase: ({ id }) => proofs.erased(id) },
  { name: 'grants', expired: grants.expired, erase: grants.erased },
  { name: 'receipts', expired: receipts.expired },
  { name: 'downloads', serve: serveDownloads },
  { name: 'shares', serve: serveShares },
  { name: 'short links', serve: serveShortLinks, expired: shortLinks.expired },
  {
    name: 'publications',
    serve: servePublications,
    tasks: [{ name: 'publications', role: 'jobs', every: { usual: 2000, quick: 500 }, run: preparePublications }],
    expired: publications.expired,
    erase: ({ id }) => publications.erased(id),
    exported: ({ id }) => [{ name: 'publications', rows: publications.exported(id) }],
  },
  {
    name: 'upload links',
    serve: serveUploadLinks,
    tasks: [{ name: 'upload-links', role: 'jobs', every: { usual: 60_000, quick: 1000 }, run: notifyOfUploads }],
    expired: uploadLinks.expired,
    erase: ({ id }) => uploadLinks.erased(id),
    exported: ({ id }) => [{ name: 'received_files', rows: uploadLinks.exported(id) }],
  },
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
    erase: ({ id }) => acceleration.erased(id),
    exported: ({ id }) => [{ name: 'accelerations', rows: acceleration.exported(id) }],
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
    erase: ({ id }) => [...choices.erased(id), ...planning.erasedTurns(id)],
    exported: ({ id }) => [
      { name: 'third_party_choice', rows: choices.exported(id) },
      { name: 'third_party_replicas', rows: listed.exported(id) },
    ],
  },
  {
    name: 'usage',
    serve: serveUsage,
    tasks: [{ name: 'usage-alerts', role: 'jobs', every: { usual: 300_000, quick: 1000 }, run: alertOfUsage }],
    erase: ({ id }) => [...usage.erased(id), ...usageAlerts.erased(id)],
    exported: ({ id }) => [{ name: 'usage', rows: usage.exported(id) }],
  },
  { name: 'download traffic', expired: (at) => [...downloadTraffic.expired(at), ...nodeTraffic.expired(at)] },
  {
    name: 'traces',
    serve: serveTraces,
    tasks: [{ name: 'download-receipts', every: { usual: 2000, quick: 500 }, run: issueDownloadReceipts }],
    expired: (at) => [...traces.expired(at), ...supports.expired(at)],
    erase: (account) => [...traces.erased(account), ...supports.erased(account.id)],
    exported: ({ id, uid }) => [
      { name: 'transfers', rows: traces.exported(id) },
      { name: 'download_receipts', rows: downloadReceipts.exported(id, uid) },
      { name: 'support_cases', personal: true, rows: supports.exported(id) },
    ],
  },
]
