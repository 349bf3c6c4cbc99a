import type { OpenFileOptions, SealedBy } from '@tidenet/storage'
import { useEffect, useState } from 'react'
import { anonymousStorage, storage } from '../../lib/storage.ts'

/** A file, and what grants access to it. */
export interface Sealed {
  cid: string
  temporary?: boolean
  options: OpenFileOptions
}

/** What opens an encrypted file, read from its first bytes; undefined while they load. If they cannot be read, a passphrase is asked for. */
export function useSealedBy(file: Sealed | undefined): SealedBy | undefined {
  const key = file && JSON.stringify(file)
  const [found, setFound] = useState<{ key: string; by: SealedBy }>()
  useEffect(() => {
    if (!key) return
    const { cid, temporary, options } = JSON.parse(key) as Sealed
    const stop = new AbortController()
    const show = (by: SealedBy) => stop.signal.aborted || setFound({ key, by })
    const read = async () => {
      const sdk = temporary ? await anonymousStorage() : await storage()
      const { code, data } = await sdk.vault.sealedBy(cid, { ...options, signal: stop.signal })
      show((code === 0 && (data as { by: SealedBy | null }).by) || 'passphrase')
    }
    read().catch(() => show('passphrase'))
    return () => stop.abort()
  }, [key])
  return found?.key === key ? found?.by : undefined
}
