/** The table of anonymous files, for the other modules of storage. */
export {
  countDownload,
  countPreview,
  deleteExpired,
  findTempFile,
  markTempFileStored,
  restrictTempFile,
  type TempFile,
  upsertTempFile,
} from './repository.ts'
