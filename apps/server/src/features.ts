import { compute } from './compute/features.ts'
import { endConsoleAccess } from './compute/index.ts'
import { identity } from './identity/features.ts'
import { network } from './network/features.ts'
import { operator } from './operator/features.ts'
import { earningsOfNode } from './payments/earnings/service.ts'
import { payments } from './payments/features.ts'
import type { Feature } from './platform/feature.ts'
import { platform } from './platform/features.ts'
import { expiryTask } from './platform/tasks/expired.ts'
import { eraseTask } from './portal/closing/erase.ts'
import type { Context } from './portal/context.ts'
import { portal } from './portal/features.ts'
import { readReleases } from './portal/releases/releases.ts'
import { reportServed } from './storage/download-traffic/served.ts'
import { storage } from './storage/features.ts'
import { reportUploads } from './storage/grants/grants.ts'
import { findPaths, lockFolderForShare } from './storage/index.ts'
import { acceptReceipts } from './storage/receipts/store-many.ts'

/** All features of the server. A new feature is one line in its domain's `features.ts`. */
export const features: readonly Feature<Context>[] = [
  ...platform,
  ...identity(
    {
      lockFolderForShare: async (...folder) => (await lockFolderForShare(...folder)) !== undefined,
      findPaths,
    },
    { endConsoleAccess },
  ),
  ...network(
    { acceptReceipts, reportServed, reportUploads, earningsOfNode },
    () => readReleases().find(({ kind }) => kind === 'node')?.version,
  ),
  ...storage,
  ...compute,
  ...payments,
  ...operator,
  ...portal(() => features),
]

/** All features, and the tasks that delete their expired rows and the data of closed accounts. */
export const withExpiry: readonly Pick<Feature<Context>, 'tasks'>[] = [
  ...features,
  { tasks: [expiryTask(features), eraseTask(features)] },
]
