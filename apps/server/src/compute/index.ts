/** The interface of this domain for other domains. */
export { ClusterError } from './clusters/driver.ts'
export { engineOf as speechEngine } from './speech/engine-of.ts'
export type { Workspaces } from './workspaces/offer.ts'
