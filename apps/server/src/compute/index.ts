/** What other domains may use. */
export { ClusterError } from './clusters/driver.ts'
export type { Workspaces } from './workspaces/offer.ts'
