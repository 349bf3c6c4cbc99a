import { RECEIPT_PENDING } from '@tidenet/contract/constants'
import type { Answer } from './api.ts'
import { type Core, settle } from './core.ts'
import { isSuccess, type Result } from './result.ts'

/** The file of a receipt: a signed statement of the network, with the proof that it is in the transparency log. */
export type ReceiptFile = Answer<'receipts.get'>

export interface Receipts {
  receipts: {
    /**
     * Returns the receipt with this id, as JSON to store and to check with `tidenet verify` or on the page `/verify`. Waits while it is
     * being written, a few seconds at most. Codes: 1006 id; the server's 1000 for receipts of others.
     */
    get(id: number): Promise<Result<ReceiptFile>>
  }
}

/** Receipts are written every second. */
const WAITS_MS = [300, 700, 1000, 1000, 2000, 2000, 3000]

export function createReceipts(core: Core): Receipts {
  const { api, pause, toFailure } = core
  const never = new AbortController().signal
  return {
    receipts: {
      get: (id) =>
        settle(core, async () => {
          if (!Number.isSafeInteger(id) || id < 1) return toFailure('idMissing')
          for (const wait of WAITS_MS) {
            const result = await api.call('receipts.get', { id })
            if (isSuccess(result) || result.data.err !== RECEIPT_PENDING) return result
            await pause(wait, never)
          }
          return api.call('receipts.get', { id })
        }),
    },
  }
}
