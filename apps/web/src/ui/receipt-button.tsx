import { RECEIPT_PENDING } from '@tidenet/contract/constants'
import { FileCheck, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { ApiError, api } from '../lib/api.ts'
import { t } from './receipt-texts.ts'
import { toast } from './toast.ts'

/** Receipts are written every second. */
const WAITS_MS = [500, 1000, 2000, 3000]

/** Downloads a receipt file; nothing if there is no receipt. @param of what the receipt is about */
export function ReceiptButton({ id, of }: { id: number | null; of: string }) {
  const [busy, setBusy] = useState(false)
  if (id === null) return null
  const save = async () => {
    setBusy(true)
    try {
      await saveReceipt(id)
      toast.success(t.saved)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const Icon = busy ? LoaderCircle : FileCheck
  return (
    <button
      type="button"
      aria-label={t.receiptOf(of)}
      aria-busy={busy || undefined}
      disabled={busy}
      onClick={() => void save()}
      className="inline-flex min-h-6 items-center gap-1.5 text-sm whitespace-nowrap text-accent underline-offset-3 hover:underline disabled:opacity-55"
    >
      <Icon aria-hidden className={busy ? 'size-4 animate-spin' : 'size-4'} />
      {t.receipt}
    </button>
  )
}

async function saveReceipt(id: number): Promise<void> {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(await readReceipt(id), undefined, 2)}\n`], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = `receipt-${id}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Waits while the receipt is being written. @throws ApiError */
export async function readReceipt(id: number) {
  for (const wait of WAITS_MS) {
    try {
      return await api('receipts.get', { id })
    } catch (error) {
      if (!(error instanceof ApiError) || error.err !== RECEIPT_PENDING) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
  return api('receipts.get', { id })
}
