import type { OwnedDevice } from '@tidenet/contract'
import { PAGE_SIZE_MAX } from '@tidenet/contract/constants'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'

export interface NewCode {
  code: string
  /** RFC 3339, by the server's clock. */
  made_at: string
  expires_at: string
}

/** A node appears within seconds of its start. */
const WATCH_MS = 3000
const none: readonly OwnedDevice[] = []

/** The account's owner code, from its creation until it is dismissed, and the devices linked with it. */
export function useCode() {
  const [made, setMade] = useState<NewCode>()
  const [busy, setBusy] = useState(false)
  const watched = useQuery({
    ...query('devices.list', { page: 1, size: PAGE_SIZE_MAX }),
    enabled: made !== undefined,
    refetchInterval: WATCH_MS,
  })
  const since = made ? Date.parse(made.made_at) : Number.POSITIVE_INFINITY
  const arrived = watched.data?.list.filter(({ linked_at }) => Date.parse(linked_at) >= since) ?? none

  // A new device also changes the list and the totals.
  const seen = useRef(0)
  useEffect(() => {
    if (arrived.length > seen.current) refresh('devices.list')
    seen.current = arrived.length
  }, [arrived.length])

  const make = async () => {
    setBusy(true)
    try {
      setMade(await api('devices.code', {}))
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  return { made, arrived, busy, make, dismiss: () => setMade(undefined) }
}
