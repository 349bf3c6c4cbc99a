/** The table of anonymous files, for the other modules of storage. */
export {
  countDownload,
  countPreview,
  findTempFile,
  putTempFile,
  storeTempFile,
  type TempFile,
  takeEnded,
} from './repository.ts'
