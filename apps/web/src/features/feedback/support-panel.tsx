import { t } from '../../lib/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { closeSupport, useSupport } from './support.ts'

/** Where people write to us. */
export function SupportPanel() {
  const topic = useSupport((support) => support.topic)
  return (
    <Dialog open={topic !== undefined} onClose={closeSupport} title={t.support.open}>
      {null}
    </Dialog>
  )
}
