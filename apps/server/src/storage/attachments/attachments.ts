/** The table of attachments, for the other modules of storage. */
export { restrictAttachments } from './repository.ts'
