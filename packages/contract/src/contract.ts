import { abuse } from './api/abuse.ts'
import { acceleration } from './api/acceleration.ts'
import { accountExport } from './api/account-export.ts'
import { accounts } from './api/accounts.ts'
import { activity } from './api/activity.ts'
import { admin } from './api/admin.ts'
import { agents } from './api/agents.ts'
import { analytics } from './api/analytics.ts'
import { apiKeys } from './api/api-keys.ts'
import { assets } from './api/assets.ts'
import { chain } from './api/chain.ts'
import { chat } from './api/chat.ts'
import { chatDesk } from './api/chat-desk.ts'
import { closing } from './api/closing.ts'
import { clusters } from './api/clusters.ts'
import { dashboard } from './api/dashboard.ts'
import { devices } from './api/devices.ts'
import { downloads } from './api/downloads.ts'
import { earnings } from './api/earnings.ts'
import { emails } from './api/emails.ts'
import { exchange } from './api/exchange.ts'
import { explorer } from './api/explorer.ts'
import { faucet } from './api/faucet.ts'
import { folderUploads } from './api/folder-uploads.ts'
import { folders } from './api/folders.ts'
import { guests } from './api/guests.ts'
import { identities } from './api/identities.ts'
import { imports } from './api/imports.ts'
import { leads } from './api/leads.ts'
import { network } from './api/network.ts'
import { notifications } from './api/notifications.ts'
import { orders } from './api/orders.ts'
import { passkeys } from './api/passkeys.ts'
import { portal } from './api/portal.ts'
import { publications } from './api/publications.ts'
import { receipts } from './api/receipts.ts'
import { releases } from './api/releases.ts'
import { rewards } from './api/rewards.ts'
import { s3 } from './api/s3.ts'
import { s3Access } from './api/s3-access.ts'
import { s3Uploads } from './api/s3-uploads.ts'
import { secondFactors } from './api/second-factors.ts'
import { sessions } from './api/sessions.ts'
import { shares } from './api/shares.ts'
import { shortLinks } from './api/short-links.ts'
import { speech } from './api/speech.ts'
import { supports } from './api/supports.ts'
import { teams } from './api/teams.ts'
import { tempFiles } from './api/temp-files.ts'
import { thirdParty } from './api/third-party.ts'
import { thumbnails } from './api/thumbnails.ts'
import { traces } from './api/traces.ts'
import { trash } from './api/trash.ts'
import { uploadLinks } from './api/upload-links.ts'
import { uploads } from './api/uploads.ts'
import { usage } from './api/usage.ts'
import { vault } from './api/vault.ts'
import { versions } from './api/versions.ts'
import { wallets } from './api/wallets.ts'
import { webhooks } from './api/webhooks.ts'
import { nodeControl } from './node/control.ts'

/** Every operation by group; `folders.create` is its name in logs, queries and OpenAPI. */
export const contract = {
  accounts,
  emails,
  closing,
  activity,
  notifications,
  accountExport,
  wallets,
  orders,
  sessions,
  secondFactors,
  passkeys,
  identities,
  apiKeys,
  agents,
  s3Access,
  webhooks,
  teams,
  folders,
  assets,
  trash,
  vault,
  versions,
  thumbnails,
  uploadLinks,
  s3,
  s3Uploads,
  imports,
  uploads,
  folderUploads,
  downloads,
  shares,
  shortLinks,
  publications,
  tempFiles,
  acceleration,
  thirdParty,
  usage,
  dashboard,
  traces,
  network,
  explorer,
  devices,
  chain,
  faucet,
  rewards,
  exchange,
  receipts,
  earnings,
  clusters,
  guests,
  speech,
  portal,
  releases,
  leads,
  abuse,
  supports,
  chat,
  chatDesk,
  analytics,
  admin,
  nodeControl,
}
export type Contract = typeof contract

export type OperationName = {
  [G in keyof Contract & string]: `${G}.${keyof Contract[G] & string}`
}[keyof Contract & string]

export type RouteOf<N extends OperationName> = N extends `${infer G}.${infer O}`
  ? G extends keyof Contract
    ? O extends keyof Contract[G]
      ? Contract[G][O]
      : never
    : never
  : never
