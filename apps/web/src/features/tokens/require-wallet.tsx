import { lazy, Suspense } from 'react'
import { WalletSpace } from '../wallet/wallet-space.tsx'

const Content = lazy(() => import('../wallet/require-wallet.tsx'))

/** Shows the linked wallet, or asks to link one; closing that dialog goes back a page. */
export function RequireWallet() {
  return (
    <Suspense fallback={<WalletSpace />}>
      <Content />
    </Suspense>
  )
}
