/** An upload that a node has begun to hold. */
export interface UnfinishedUpload {
  /** The tus address of the upload. */
  location: string
  nodeId: string
  token: string
  traceId: string
  /** Unix ms; nodes forget unfinished uploads after a day. */
  begun: number
}

/** Remembers unfinished uploads by fingerprint. Failing to remember never fails an upload. */
export interface ResumeStore {
  get(fingerprint: string): Promise<UnfinishedUpload | undefined>
  set(fingerprint: string, upload: UnfinishedUpload): Promise<void>
  delete(fingerprint: string): Promise<void>
}

/** Remembers as long as the program runs. */
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

/** Remembers nothing. */
export const noResumeStore: ResumeStore = {
  get: async () => undefined,
  set: async () => {},
  delete: async () => {},
}
