import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Toasts } from '../../ui/toasts.tsx'
import { useSupport } from '../feedback/support.ts'
import { useBegun } from '../transfers/begun.ts'

/** Running transfers stay in sight on every page; the code that shows them is not needed before. */
const Transfers = lazy(async () => ({ default: (await import('../transfers/transfers.tsx')).Transfers }))
const SupportPanel = lazy(async () => ({ default: (await import('../feedback/support-panel.tsx')).SupportPanel }))

export function Root() {
  const transfers = useBegun((state) => state.begun)
  const support = useSupport((state) => state.topic !== undefined)
  return (
    <>
      <Outlet />
      {transfers && (
        <Suspense>
          <Transfers />
        </Suspense>
      )}
      {support && (
        <Suspense>
          <SupportPanel />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}
