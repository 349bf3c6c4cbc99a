export { countPresent as countPresentWorkspaces } from './repository.ts'
