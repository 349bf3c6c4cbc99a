import type { ChatMessage } from '@tidenet/contract'
import { CHAT_ATTACHMENT_MAX } from '@tidenet/contract/chat'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { formatSize } from '../../lib/format.ts'
import { currentToken } from '../../lib/session-store.ts'
import { anonymousStorage, storage } from '../../lib/storage.ts'
import { t as shell } from '../../lib/texts.ts'
import { t } from './texts.ts'

/** A file that the network stores, and the password that decrypts it: what a message refers to. */
export interface Attached {
  cid: string
  name: string
  password: string
  /** Of the upload: proves to the server that the file is the sender's. */
  trace_id: string
}

/** A file that is being attached. */
export interface Upload {
  file: File
  state: 'uploading' | 'done' | 'failed'
  /** 0 to 100. */
  percent: number
  problem?: string
  attached?: Attached
}

/** What encryption can add to 10 MiB: a header, and 16 bytes for every 64 KiB. */
const ENCRYPTION_BYTES = 8 * 1024
/** The password is random, so it needs no slow derivation. */
const WORK_FACTOR = 10

/** Why a file cannot be attached; undefined if it can. */
export function attachmentProblem({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (size === 0) return t.file.empty(name)
  if (size > CHAT_ATTACHMENT_MAX - ENCRYPTION_BYTES) return t.file.tooLarge(name, formatSize(CHAT_ATTACHMENT_MAX))
  return undefined
}

export interface Attaching {
  upload: Upload | undefined
  attach: (file: File) => void
  /** Cancels the upload, or forgets the file after it was sent. */
  remove: () => void
}

/** Uploads one file for the next message. It is encrypted here: nodes see neither its content nor its name. */
export function useAttachment(): Attaching {
  const [upload, setUpload] = useState<Upload>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const attach = async (file: File) => {
    stop.current?.abort()
    const controller = new AbortController()
    stop.current = controller
    // Another file may have been chosen meanwhile.
    const show = (facts: Partial<Upload>) =>
      stop.current === controller && setUpload({ file, state: 'uploading', percent: 0, ...facts })
    const problem = attachmentProblem(file)
    if (problem) return show({ state: 'failed', problem })
    show({})
    try {
      const sdk = await anonymousStorage()
      const password = randomPassword()
      const result = await sdk.uploadAsset(
        file,
        {
          groupId: -1,
          name: 'attachment',
          encrypt: { passphrase: password, workFactor: WORK_FACTOR },
          resume: false,
          signal: controller.signal,
        },
        ({ percent }) => show({ percent }),
      )
      if (result.code === 0) {
        const { cid, traceId } = result.data as { cid: string; traceId: string }
        show({ state: 'done', percent: 100, attached: { cid, name: file.name, password, trace_id: traceId } })
      } else show({ state: 'failed', problem: result.msg })
    } catch {
      show({ state: 'failed', problem: shell.errors.chunkTitle })
    }
  }
  return {
    upload,
    attach: (file) => void attach(file),
    remove: () => {
      stop.current?.abort()
      stop.current = undefined
      setUpload(undefined)
    },
  }
}

function randomPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes))
}

/**
 * Saves an attachment as a file: it is never opened in the page.
 * @param reader the visitor's token, nothing for an account, or the id of the conversation for agents
 * @throws ApiError
 */
export async function saveAttachment(
  { id, cid, name, password }: NonNullable<ChatMessage['attachment']>,
  reader: { visitor?: string; conversation?: number },
): Promise<void> {
  const sdk = currentToken() ? await storage() : await anonymousStorage()
  const result = await sdk.downloadAsset({
    assetCid: cid,
    assetType: 'file',
    source: 'chat',
    chat: { attachment: id, ...reader },
    name,
    to: 'save',
    ...(password && { decrypt: { passphrase: password } }),
  })
  if (result.code !== 0) throw new ApiError('refused', result.msg)
}
