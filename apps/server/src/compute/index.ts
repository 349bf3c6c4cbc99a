/** The interface of this domain for other domains. */
export { ClusterError } from './clusters/driver.ts'
export { endConsoleAccess } from './console/console-account.ts'
export { readEngineState as readSpeechEngineState } from './speech/tasks.ts'
export type { Workspaces } from './workspaces/offer.ts'
export { countPresentWorkspaces } from './workspaces/present.ts'
