import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { lazyView } from './lazy-view.tsx'
import { WalletStrip } from './strip.tsx'
import { t } from './texts.ts'

const WalletDialog = lazyView(async () => (await import('./wallet-dialog.tsx')).default)

/** Above a page that needs a wallet: which one it is, or the dialog that binds one. Closing that goes back a page. */
export default function BindNeeded() {
  const info = useQuery(query('wallets.bindInfo', {}))
  const [left, setLeft] = useState(false)
  const { history } = useRouter()
  if (!info.data) return null
  const { keplr } = info.data
  if (keplr) return <WalletStrip bound={keplr} />
  if (left) return null
  return (
    <WalletDialog
      purpose="bind"
      kinds={['cosmos']}
      reason={t.dialog.needed}
      onClose={() => {
        setLeft(true)
        if (history.canGoBack()) history.back()
        else history.push('/dashboard')
      }}
      onDone={() => toast.success(t.dialog.bound)}
    />
  )
}
