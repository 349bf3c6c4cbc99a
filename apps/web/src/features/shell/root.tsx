import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Toasts } from '../../ui/toast.tsx'
import { useSupport } from '../feedback/support.ts'
import { useDownloads } from '../transfers/downloads.ts'
import { useUploads } from '../transfers/uploads.ts'

/** Running transfers stay in sight on every page; the code that shows them is not needed before. */
const Transfers = lazy(async () => ({ default: (await import('../transfers/transfers.tsx')).Transfers }))
const SupportPanel = lazy(async () => ({ default: (await import('../feedback/support-panel.tsx')).SupportPanel }))

export function Root() {
  const uploads = useUploads((state) => state.list.length > 0)
  const downloads = useDownloads((state) => state.list.length > 0)
  const support = useSupport((state) => state.topic !== undefined)
  return (
    <>
      <Outlet />
      {(uploads || downloads) && (
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
