import { FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../lib/api.ts'
import { toast } from './toast.ts'

/** Downloads a receipt as a file, which /verify checks. */
export function ReceiptLink({ id, children }: { id: number; children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const file = await api('receipts.get', { id })
      const url = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: 'application/json' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: `tidenet-receipt-${id}.json` })
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  return (
    <button
      type="button"
      disabled={busy}
      aria-busy={busy || undefined}
      onClick={() => void save()}
      className="inline-flex min-h-7 items-center gap-1.5 text-left text-sm text-accent underline hover:text-accent-strong"
    >
      <FileDown aria-hidden className="size-4 shrink-0" />
      {children}
    </button>
  )
}
