import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useDownloads } from '../transfers/downloads.ts'
import { useUploads } from '../transfers/uploads.ts'

/** Running transfers stay in sight on every page; the code that shows them is not needed before. */
const Transfers = lazy(async () => ({ default: (await import('../transfers/transfers.tsx')).Transfers }))

export function Root() {
  const uploads = useUploads((state) => state.list.length > 0)
  const downloads = useDownloads((state) => state.list.length > 0)
  return (
    <>
      <Outlet />
      {(uploads || downloads) && (
        <Suspense>
          <Transfers />
        </Suspense>
      )}
    </>
  )
}
