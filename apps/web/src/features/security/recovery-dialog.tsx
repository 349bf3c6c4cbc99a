import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Shows recovery codes, which are never shown again. Only the button closes the dialog. */
export function RecoveryDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const r = t.recovery
  const text = codes.join('\n')
  const save = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    link.download = r.fileName
    link.click()
    // The browser has started the download by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  }
  return (
    <Dialog
      open
      persistent
      onClose={onClose}
      title={r.onceTitle}
      actions={
        <>
          <CopyButton text={text}>{r.copy}</CopyButton>
          <Button icon={<Download aria-hidden className="size-4" />} onClick={save}>
            {r.save}
          </Button>
          <Button look="primary" onClick={onClose}>
            {r.kept}
          </Button>
        </>
      }
    >
      <Notice tone="warn">{r.onceText}</Notice>
      <ol className="mt-4 grid grid-cols-2 gap-x-6 gap-y-2 rounded-lg border border-line bg-sunken px-5 py-4 font-mono tabular-nums">
        {codes.map((code) => (
          <li key={code} translate="no">
            {code}
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
