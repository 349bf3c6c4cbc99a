import { Wallet } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'

const WalletDialog = lazy(() => import('./wallet-dialog.tsx'))

/** The button that lets a wallet sign in. Words come with the page it stands on. */
export function WalletWay({ label }: { label: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={<Wallet aria-hidden className="size-4" />}
        className="min-h-10 w-full"
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open && (
        <Suspense>
          <WalletDialog purpose="signIn" kinds={['cosmos', 'evm']} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
