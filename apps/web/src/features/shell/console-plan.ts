import { useEffect } from 'react'
import { queries, query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'

const REFRESH_MS = 10_000

/** Keeps the plan in the session up to date: operators may change it while the user is signed in. */
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
    // Limits, figures and offers depend on the plan.
    void queries.invalidateQueries()
  }, [data, known])
}
