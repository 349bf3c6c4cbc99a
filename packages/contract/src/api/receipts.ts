import { z } from 'zod'
import { int } from '../fields.ts'
import { route } from '../route.ts'

/** A receipt file, which contains all that a check needs (decision 25). `@tidenet/receipts` checks it. */
export const receiptFile = z.object({
  tidenet: z.literal('receipt'),
  version: z.literal(1),
  /** Compact JWS. */
  receipt: z.string(),
  /** The inclusion proof in the tree of the checkpoint; base64. */
  proof: z.object({ index: z.number(), size: z.number(), hashes: z.array(z.string()) }),
  /** Signed note. */
  checkpoint: z.string(),
  /** Public key of the network, base64url. */
  key: z.string(),
  /** The transaction with the checkpoint; null until the log was anchored after the receipt. */
  anchor: z
    .object({
      chain: z.string(),
      height: z.number(),
      /** Account number of the signer, which is part of what it signed. */
      account: z.number(),
      /** Upper-case hex. */
      hash: z.string(),
      /** TxRaw, base64. */
      tx: z.string(),
    })
    .nullable(),
})

export const receipts = {
  get: route({
    method: 'GET',
    path: '/api/v1/receipts/:id',
    auth: 'readFile',
    input: z.object({ id: int(1, Number.MAX_SAFE_INTEGER) }),
    output: receiptFile,
    errors: ['notFound', 'receiptPending'],
    limit: 240,
    summary:
      'Returns a receipt of the account, or of a node that it owns, with the proof that it is in the transparency log. API keys get receipts of uploads and downloads only',
  }),
}
