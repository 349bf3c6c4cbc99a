import { lazy, Suspense } from 'react'
import type { RequireWalletProps } from '../wallet/require-wallet.tsx'
import { WalletSpace } from '../wallet/wallet-space.tsx'

const Content = lazy(() => import('../wallet/require-wallet.tsx'))

/** Shows the linked wallet, or asks to link one; closing that dialog goes back a page. */
export function RequireWallet(props: RequireWalletProps) {
  return (
    <Suspense fallback={<WalletSpace />}>
      <Content {...props} />
    </Suspense>
  )
}
