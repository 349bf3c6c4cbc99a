import type { OpenFile } from '@tidenet/storage'
import { useEffect, useState } from 'react'
import { anonymousStorage, storage } from '../../lib/storage.ts'
import { t as shell } from '../../lib/texts.ts'
import { decryptionOf } from '../transfers/decryption.ts'
import { sdkCodes } from '../transfers/sdk-codes.ts'
import { accessOf, type Source } from './source.ts'

/** A part of a file could not be read; the message is in the user's language. */
export class ReadFailed extends Error {}

/** A file whose parts can be read; every byte is verified. */
export interface Opened {
  /** Bytes, after decryption. */
  size: number
  /** The bytes [start, end). @throws ReadFailed */
  read(start: number, end: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
}

export type OpenState =
  | { state: 'loading' }
  | { state: 'ready'; file: Opened }
  | { state: 'failed'; problem: string; wrongKey: boolean }

const openedOf = (file: OpenFile): Opened => ({
  size: file.size,
  async read(start, end, signal) {
    const { code, msg, data } = await file.read(start, end, { signal })
    signal.throwIfAborted()
    if (code !== 0) throw new ReadFailed(msg)
    return data as Uint8Array<ArrayBuffer>
  },
})

/** Opens a file with the SDK, to read parts of it. Does not count as a download. */
export function useOpenFile(source: Source, passphrase?: string): { opened: OpenState; retry: () => void } {
  const [opened, setOpened] = useState<OpenState>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const key = JSON.stringify(source)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` opens it again
  useEffect(() => {
    const current = JSON.parse(key) as Source
    const stop = new AbortController()
    const open = async () => {
      const sdk = current.kind === 'temp' ? await anonymousStorage() : await storage()
      const { code, msg, data } = await sdk.openFile(current.cid, {
        ...(current.path && { path: current.path }),
        ...(passphrase && { decrypt: decryptionOf(passphrase) }),
        ...accessOf(current),
        signal: stop.signal,
      })
      if (stop.signal.aborted) return
      if (code === 0) setOpened({ state: 'ready', file: openedOf(data as OpenFile) })
      else {
        const wrongKey = code === sdkCodes.downloadFileError && passphrase !== undefined
        setOpened({ state: 'failed', problem: msg, wrongKey })
      }
    }
    setOpened({ state: 'loading' })
    open().catch(
      () => stop.signal.aborted || setOpened({ state: 'failed', problem: shell.errors.chunkTitle, wrongKey: false }),
    )
    return () => stop.abort()
  }, [key, passphrase, attempt])
  return { opened, retry: () => setAttempt((before) => before + 1) }
}
