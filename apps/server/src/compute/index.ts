/** The interface of this domain for other domains. */
export { ClusterError } from './clusters/driver.ts'
export { endConsoleAccess } from './console/console-account.ts'
export { openConsoleSession } from './console/console-sessions.ts'
export { readEngineState as readSpeechEngineState } from './speech/tasks.ts'
export type { Workspaces } from './workspaces/offer.ts'
export { countPresentWorkspaces, moveWorkspace } from './workspaces/present.ts'
