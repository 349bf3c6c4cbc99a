import { KEYS_PATH, publicKey, receiptKeysIn } from '@tidenet/receipts'
import { useEffect, useState } from 'react'
import { createPersistedStore } from '../../lib/persisted-store.ts'

export const isKey = (text: string): boolean => publicKey.safeParse(text).success

/** The key of this network, remembered at the first visit, so that nobody can exchange it later. */
const useRemembered = createPersistedStore('receiptKey', { key: '' }, ({ key = '' }) => ({
  key: isKey(key) ? key : '',
}))

const fetchKey = async (): Promise<string | undefined> => receiptKeysIn(await (await fetch(KEYS_PATH)).json())[0]

/** The expected key, and how to enter another one. `isMissing`: the portal did not give one. */
export function useNetworkKey(): { key: string; setKey: (key: string) => void; isMissing: boolean } {
  const [key, setKey] = useState('')
  const [isMissing, setMissing] = useState(false)
  // In an effect: a prerendered page does not know what this browser remembers.
  useEffect(() => {
    let isActive = true
    const show = (known: string) => isActive && setKey((typed) => typed || known)
    const { key: remembered } = useRemembered.getState()
    if (remembered) show(remembered)
    else
      fetchKey()
        .catch(() => undefined)
        .then((known) => {
          if (known) useRemembered.setState({ key: known })
          if (known) show(known)
          else if (isActive) setMissing(true)
        })
    return () => {
      isActive = false
    }
  }, [])
  return { key, setKey, isMissing: isMissing && key === '' }
}
