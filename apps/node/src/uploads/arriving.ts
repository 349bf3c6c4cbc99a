import { REPORTED_UPLOADS_MAX, type ReportedUpload, type UploadClaims } from '@tidenet/contract'

/** The bytes of running uploads, for heartbeats: the server reserves quota only while they arrive. */
export interface Arriving {
  /** @param bytes all bytes of the upload so far */
  received(upload: Pick<UploadClaims, 'jti' | 'tid'>, bytes: number): void
  /** The upload has ended. */
  ended(upload: Pick<UploadClaims, 'jti'>): void
  /** The uploads that grew since they were last taken; those that wait the longest first. */
  take(): ReportedUpload[]
  /** Takes back uploads that could not be reported. */
  putBack(uploads: readonly ReportedUpload[]): void
}

export function createArriving(): Arriving {
  /** By jti. */
  const grown = new Map<string, ReportedUpload>()
  /** Taken and not ended since, so that a failed report does not bring back an upload that has ended. */
  let taken = new Set<string>()
  return {
    received({ jti, tid }, bytes) {
      const known = grown.get(jti)
      if (known) known.bytes = bytes
      else grown.set(jti, { trace_id: tid, jti, bytes })
    },
    ended({ jti }) {
      grown.delete(jti)
      taken.delete(jti)
    },
    take() {
      const uploads = [...grown.values()].slice(0, REPORTED_UPLOADS_MAX)
      for (const { jti } of uploads) grown.delete(jti)
      taken = new Set(uploads.map(({ jti }) => jti))
      return uploads
    },
    putBack(uploads) {
      for (const upload of uploads) if (taken.has(upload.jti) && !grown.has(upload.jti)) grown.set(upload.jti, upload)
    },
  }
}
