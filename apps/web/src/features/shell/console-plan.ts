import { useEffect } from 'react'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'

const REFRESH_MS = 30_000

/** Keeps what the session says of the plan true: it may be changed while somebody is signed in. */
export function usePlan(): void {
  const known = useSession((session) => session.userinfo)
  const { data } = useQuery({ ...query('accounts.vipInfo', {}), refetchInterval: REFRESH_MS })
  useEffect(() => {
    if (!data || !known || data.uid !== known.uid) return
    if (data.vip === known.vip && data.role === known.role) return
    useSession.setState({ userinfo: { ...known, vip: data.vip, role: data.role } })
    refresh('usage.storageSize', 'accounts.info')
  }, [data, known])
}
