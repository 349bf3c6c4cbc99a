/** What other modules of storage use. */
export { countReader, type NearReader, recordMeasurement } from './reads.ts'
export { nearOfContents } from './repository.ts'
