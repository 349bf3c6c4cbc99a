import { Wallet } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'

const WalletDialog = lazy(() => import('./wallet-dialog.tsx'))

/** The wallet sign-in button. The label comes from the page, so that the wallet texts load with the dialog. */
export function WalletSignIn({ label }: { label: string }) {
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
