import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from './texts.ts'

/** Asked once a visit: the page behind it may be looked at. */
let looked = false

/** Asks for a wallet where a page needs one; closing it goes back a page. */
export function WalletNeeded() {
  const [open, setOpen] = useState(!looked)
  const { history } = useRouter()
  const c = t.center
  const back = () => {
    setOpen(false)
    if (history.canGoBack()) history.back()
    else history.push('/dashboard')
  }
  return (
    <Dialog
      open={open}
      onClose={back}
      title={c.bindTitle}
      description={c.bindText}
      actions={
        <>
          <Button onClick={back}>{c.goBack}</Button>
          <Button
            look="primary"
            onClick={() => {
              looked = true
              setOpen(false)
            }}
          >
            {c.look}
          </Button>
        </>
      }
    />
  )
}
