import { useEffect, useRef } from 'react'
import { queries } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'

/** Reloads all data when an operator changes the plan: limits, figures and offers depend on it. */
export function usePlan(): void {
  const userinfo = useSession((session) => session.userinfo)
  const last = useRef(userinfo)
  useEffect(() => {
    const before = last.current
    last.current = userinfo
    if (!before?.role || !userinfo || before.uid !== userinfo.uid) return
    if (before.vip !== userinfo.vip || before.role !== userinfo.role) void queries.invalidateQueries()
  }, [userinfo])
}
