import { lazy, Suspense } from 'react'

const BindNeeded = lazy(() => import('../wallet/bind-needed.tsx'))

/** Asks for a wallet where a page needs one, and shows which is bound; closing the question goes back a page. */
export function WalletNeeded() {
  return (
    <Suspense>
      <BindNeeded />
    </Suspense>
  )
}
