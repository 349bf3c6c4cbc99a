import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { openSupport, readVisitor, useSupport } from '../feedback/support.ts'
import { storeVisitor } from './client.ts'
import { restartChat } from './connection.ts'
import { t } from './texts.ts'

const a = t.adopt

/** Offers to add what was written on this device without an account. Never silently: devices are shared. */
export function AdoptDialog() {
  const count = useSupport((support) => support.adoptable)
  const [isBusy, setIsBusy] = useState(false)
  const later = () => useSupport.setState({ adoptable: 0 })
  const discard = () => {
    storeVisitor('')
    later()
    toast.success(a.discarded)
  }
  const add = async () => {
    setIsBusy(true)
    try {
      await api('chat.adopt', { visitor: readVisitor() })
      storeVisitor('')
      later()
      restartChat()
      openSupport('support')
      toast.success(a.added)
    } catch (error) {
      toast.error(error)
    }
    setIsBusy(false)
  }
  return (
    <Dialog
      open={count > 0}
      onClose={later}
      title={a.title(count)}
      description={a.text}
      actions={
        <>
          <Button look="quietDanger" className="mr-auto" disabled={isBusy} onClick={discard}>
            {a.discard}
          </Button>
          <Button disabled={isBusy} onClick={later}>
            {a.later}
          </Button>
          <Button look="primary" busy={isBusy} onClick={() => void add()}>
            {a.add}
          </Button>
        </>
      }
    />
  )
}
