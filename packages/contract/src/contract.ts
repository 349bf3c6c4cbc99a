import { accounts } from './api/accounts.ts'
import { admin } from './api/admin.ts'
import { analytics } from './api/analytics.ts'
import { apiKeys } from './api/api-keys.ts'
import { assets } from './api/assets.ts'
import { chain } from './api/chain.ts'
import { clusters } from './api/clusters.ts'
import { devices } from './api/devices.ts'
import { downloads } from './api/downloads.ts'
import { explorer } from './api/explorer.ts'
import { faucet } from './api/faucet.ts'
import { folders } from './api/folders.ts'
import { identities } from './api/identities.ts'
import { leads } from './api/leads.ts'
import { network } from './api/network.ts'
import { orders } from './api/orders.ts'
import { passkeys } from './api/passkeys.ts'
import { portal } from './api/portal.ts'
import { releases } from './api/releases.ts'
import { rewards } from './api/rewards.ts'
import { secondFactors } from './api/second-factors.ts'
import { sessions } from './api/sessions.ts'
import { shares } from './api/shares.ts'
import { tempFiles } from './api/temp-files.ts'
import { traces } from './api/traces.ts'
import { trash } from './api/trash.ts'
import { uploads } from './api/uploads.ts'
import { usage } from './api/usage.ts'
import { wallets } from './api/wallets.ts'
import { nodeControl } from './node/control.ts'

/** Every operation by duty; `folders.create` names it in logs, queries and OpenAPI. */
export const contract = {
  accounts,
  wallets,
  orders,
  sessions,
  secondFactors,
  passkeys,
  identities,
  apiKeys,
  folders,
  assets,
  trash,
  uploads,
  downloads,
  shares,
  tempFiles,
  usage,
  traces,
  network,
  explorer,
  devices,
  chain,
  faucet,
  rewards,
  clusters,
  portal,
  releases,
  leads,
  analytics,
  admin,
  nodeControl,
}
export type Contract = typeof contract

export type OperationName = {
  [D in keyof Contract & string]: `${D}.${keyof Contract[D] & string}`
}[keyof Contract & string]

export type RouteOf<N extends OperationName> = N extends `${infer D}.${infer O}`
  ? D extends keyof Contract
    ? O extends keyof Contract[D]
      ? Contract[D][O]
      : never
    : never
  : never
