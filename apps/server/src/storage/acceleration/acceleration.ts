/** What other modules of storage use. */
export { countReader, type NearReader, recordMeasurement } from './reads.ts'
export { followContent, nearOfContents } from './repository.ts'
