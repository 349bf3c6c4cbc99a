/** The tables of third-party replicas, for the other modules of storage. */
export { findChoice, isAgreed, lastChange, setChoice } from './choices-repository.ts'
export { type Counts, countsFor, isAgreedFor, NO_REPLICAS, type Sendable } from './counts.ts'
export * as listing from './list-repository.ts'
export * as planning from './plan-repository.ts'
export * as replicas from './replicas-repository.ts'
export { contentsMissing, contentsReleased } from './requests.ts'
export * as restores from './restore-repository.ts'
