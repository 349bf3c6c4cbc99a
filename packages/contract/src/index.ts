export { type ExplorerNode, NODE_SORTS, type NodeSort, type Transfer } from './api/explorer.ts'
export { ITEM_KINDS, SORTS } from './api/folders.ts'
export { LEAD_KINDS, LEAD_NAME_MAX, LEAD_TEXT_MAX, type LeadKind } from './api/leads.ts'
export type { Release } from './api/releases.ts'
export { ITEMS_MAX, type ItemResult, type TrashItem } from './api/trash.ts'
export * from './constants.ts'
export { type Contract, contract, type OperationName, type RouteOf } from './contract.ts'
export { AppError, type ErrorFacts, type ErrorKey, errors, errorText, type Facts, isErrorKey } from './errors.ts'
export { type Lang, langOf, readLang } from './lang.ts'
export * from './node/control.ts'
export { nodeIdOf } from './node/identity.ts'
export * from './node/tokens.ts'
export * from './objects.ts'
export {
  type Auth,
  type Input,
  type Output,
  type Parsed,
  PERMISSIONS,
  type Permission,
  type Route,
  route,
} from './route.ts'
