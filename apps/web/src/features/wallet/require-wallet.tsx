import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { lazyView } from './lazy-view.tsx'
import { t } from './texts.ts'
import { WalletSpace } from './wallet-space.tsx'
import { WalletStrip } from './wallet-strip.tsx'

const WalletDialog = lazyView(async () => (await import('./wallet-dialog.tsx')).default)

export interface RequireWalletProps {
  /** What the dialog says instead of why the page needs a wallet. */
  reason?: string
  /** Called when a wallet was linked here. */
  onLinked?: () => void
}

/** For pages that need a wallet: shows the linked one, or the dialog to link one. Closing the dialog goes back a page. */
export default function RequireWallet({ reason = t.dialog.needed, onLinked }: RequireWalletProps) {
  const info = useQuery(query('wallets.bindInfo', {}))
  const [dismissed, setDismissed] = useState(false)
  const { history } = useRouter()
  if (!info.data) return info.isError ? null : <WalletSpace />
  const { keplr } = info.data
  if (keplr) return <WalletStrip linked={keplr} />
  if (dismissed) return null
  return (
    <WalletDialog
      purpose="link"
      kinds={['cosmos']}
      reason={reason}
      onClose={() => {
        setDismissed(true)
        if (history.canGoBack()) history.back()
        else history.push('/dashboard')
      }}
      onDone={() => {
        toast.success(t.dialog.bound)
        onLinked?.()
      }}
    />
  )
}
