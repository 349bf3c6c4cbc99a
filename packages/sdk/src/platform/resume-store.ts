/** An upload of which a node has a part. */
export interface UnfinishedUpload {
  /** The tus URL of the upload. */
  location: string
  nodeId: string
  token: string
  traceId: string
  /** Unix ms; nodes delete unfinished uploads after a day. */
  begun: number
  /** A node has all of it, and the portal has not confirmed it yet. */
  stored?: { cid: string; receipt: string; nodeId: string }
}

/** Stores unfinished uploads by fingerprint. A failing store never fails an upload. */
export interface ResumeStore {
  get(fingerprint: string): Promise<UnfinishedUpload | undefined>
  set(fingerprint: string, upload: UnfinishedUpload): Promise<void>
  delete(fingerprint: string): Promise<void>
}

/** Stores them in memory. */
export function memoryResumeStore(): ResumeStore {
  const uploads = new Map<string, UnfinishedUpload>()
  return {
    async get(fingerprint) {
      return uploads.get(fingerprint)
    },
    async set(fingerprint, upload) {
      uploads.set(fingerprint, upload)
    },
    async delete(fingerprint) {
      uploads.delete(fingerprint)
    },
  }
}

/** Stores nothing. */
export const noResumeStore: ResumeStore = {
  get: async () => undefined,
  set: async () => {},
  delete: async () => {},
}
