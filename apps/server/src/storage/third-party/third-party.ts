/** Third-party replicas, for the other modules of storage. */
export { type Counts, NO_REPLICAS } from './list-repository.ts'
export { contentsMissing, contentsReleased } from './requests.ts'
export { countsFor } from './service.ts'
