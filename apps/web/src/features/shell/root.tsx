import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Toasts } from '../../ui/toasts.tsx'
import { useSupport } from '../feedback/support.ts'
import { useTransfersStarted } from '../transfers/transfers-started.ts'

/** Running transfers are shown on every page; their code is loaded with the first one. */
const Transfers = lazy(async () => ({ default: (await import('../transfers/transfers.tsx')).Transfers }))
const SupportPanel = lazy(async () => ({ default: (await import('../feedback/support-panel.tsx')).SupportPanel }))

export function Root() {
  const transfers = useTransfersStarted((state) => state.started)
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
