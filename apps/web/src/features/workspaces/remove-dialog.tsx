import type { ConsoleWorkload } from '@tidenet/contract'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from './texts.ts'
import { useActions } from './use-actions.ts'

/** Confirms removing a program with its data. */
export function RemoveDialog({
  workload,
  onClose,
  onRemoved,
}: {
  workload: Pick<ConsoleWorkload, 'id' | 'name'>
  onClose: () => void
  onRemoved: () => void
}) {
  const { busy, act } = useActions(workload)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.one.removeTitle(workload.name)}
      description={t.one.removeText}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button
            look="danger"
            busy={busy === 'remove'}
            onClick={() => void act('remove').then((removed) => removed && onRemoved())}
          >
            {t.one.remove}
          </Button>
        </>
      }
    />
  )
}
