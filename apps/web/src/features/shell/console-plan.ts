import { useEffect } from 'react'
import { queries, query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'

const REFRESH_MS = 10_000

/** Keeps what the session says of the plan true: it may be changed while somebody is signed in. */
export function usePlan(): void {
  const known = useSession((session) => session.userinfo)
  const { data } = useQuery({
    ...query('accounts.vipInfo', {}),
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
  })
  useEffect(() => {
    if (!data || !known || data.uid !== known.uid) return
    if (data.vip === known.vip && data.role === known.role) return
    useSession.setState({ userinfo: { ...known, vip: data.vip, role: data.role } })
    // Limits, figures and offers of every page depend on it.
    void queries.invalidateQueries()
  }, [data, known])
}
