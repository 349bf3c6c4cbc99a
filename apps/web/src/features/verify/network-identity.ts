import {
  identityIn,
  isIncomplete,
  KEYS_PATH,
  type NetworkIdentity,
  NO_IDENTITY,
  remember,
  storedIdentity,
} from '@tidenet/receipts'
import { useEffect, useState } from 'react'
import { createPersistedStore } from '../../lib/persisted-store.ts'

/** The identity of this network, remembered at the first visit, so that nobody can exchange it later. */
const useRemembered = createPersistedStore<NetworkIdentity & { key?: string }>(
  'receiptKey',
  NO_IDENTITY,
  // Browsers that remember only a key keep it.
  ({ key, ...stored }) => storedIdentity(key === undefined ? stored : { keys: [{ key }] }),
)

const fetchIdentity = async (): Promise<NetworkIdentity> => identityIn(await (await fetch(KEYS_PATH)).json())

/** @returns `isMissing`: the portal did not give a key, and none is remembered */
export function useNetworkIdentity(): { identity: NetworkIdentity; isMissing: boolean } {
  const [identity, setIdentity] = useState(NO_IDENTITY)
  const [isMissing, setMissing] = useState(false)
  // In an effect: a prerendered page does not know what this browser remembers.
  useEffect(() => {
    let isActive = true
    const show = (known: NetworkIdentity) => {
      if (isActive) setIdentity(known)
    }
    const known = useRemembered.getState()
    show(known)
    if (isIncomplete(known))
      fetchIdentity()
        .catch(() => NO_IDENTITY)
        .then((published) => {
          const all = remember(useRemembered.getState(), published)
          if (all.keys.length === 0) return isActive && setMissing(true)
          useRemembered.setState(all)
          show(all)
        })
    return () => {
      isActive = false
    }
  }, [])
  return { identity, isMissing }
}
