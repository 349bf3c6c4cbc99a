/** The SDK's codes that the portal handles. Copied, because importing them would load the SDK with the page; a test compares them. */
export const sdkCodes = {
  cancelled: -200,
  unauthorized: 401,
  /** No answer of the portal. */
  fetchError: 10010,
  uploadError: 10015,
  noDownloadAddress: 10019,
  /** Nothing to transfer. */
  sizeError: 10027,
  aborted: 10028,
  timedOut: 10029,
  downloadFileError: 10030,
} as const

/** Whether an upload failed without an answer: the portal or all nodes could not be reached. */
export const isConnectionLost = ({ code, data }: { code: number; data: unknown }): boolean =>
  code === sdkCodes.fetchError ||
  code === sdkCodes.timedOut ||
  (code === sdkCodes.uploadError && typeof data === 'object' && data !== null && 'reason' in data)
