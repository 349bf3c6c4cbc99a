import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract/constants'
import type { ResumeStore, UnfinishedUpload } from './resume-store.ts'

/** Stores unfinished uploads in a file readable only by its owner, because it contains node tokens. */
export function fileResumeStore(path: string): ResumeStore {
  const full = resolve(path)
  let turn: Promise<unknown> = Promise.resolve()

  const load = async (): Promise<Record<string, UnfinishedUpload>> => {
    try {
      return JSON.parse(await readFile(full, 'utf8')) as Record<string, UnfinishedUpload>
    } catch {
      return {}
    }
  }
  /** Serializes changes; a crash leaves the previous file. */
  const change = (step: (uploads: Record<string, UnfinishedUpload>) => void): Promise<void> => {
    const done = turn.then(async () => {
      const uploads = await load()
      step(uploads)
      const now = Date.now()
      for (const [key, { begun }] of Object.entries(uploads)) if (now - begun > UPLOAD_TOKEN_LIFE) delete uploads[key]
      await mkdir(dirname(full), { recursive: true })
      await writeFile(`${full}.new`, JSON.stringify(uploads), { mode: 0o600 })
      await rename(`${full}.new`, full)
    })
    turn = done.catch(() => {})
    return done
  }
  return {
    async get(fingerprint) {
      await turn
      return (await load())[fingerprint]
    },
    set: (fingerprint, upload) =>
      change((uploads) => {
        uploads[fingerprint] = upload
      }),
    delete: (fingerprint) =>
      change((uploads) => {
        delete uploads[fingerprint]
      }),
  }
}
