import { z } from 'zod'
import { fromBase64 } from './bytes.ts'
import { count, publicKey, transactionHash } from './claims.ts'
import { decodeUtf8, type JsonProblem, parseJson } from './json.ts'

/** A receipt file: a receipt with everything that is needed to check it (decision 25). */

/** More than any receipt needs: one of a day of earnings has about 6 kB. */
export const FILE_BYTES_MAX = 65_536
/** Enough for 2⁶⁴ receipts. */
const HASHES_MAX = 64

export const proofSchema = z.strictObject({
  index: count,
  size: count,
  hashes: z.array(z.string().regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/)).max(HASHES_MAX),
})

export const anchorSchema = z.strictObject({
  chain: z.string().regex(/^[!-~]{1,100}$/),
  height: count,
  /** Account number of the signer, which is part of what is signed. */
  account: count,
  hash: transactionHash,
  /** TxRaw, base64. */
  tx: z.string().refine((text) => fromBase64(text) !== undefined),
})
export type Anchor = z.infer<typeof anchorSchema>

export const fileSchema = z.strictObject({
  tidenet: z.literal('receipt'),
  version: z.literal(1),
  /** Compact JWS; here only ASCII, which is hashed in one way. */
  receipt: z.string().regex(/^[ -~]*$/),
  proof: proofSchema,
  /** Signed note. */
  checkpoint: z.string(),
  key: publicKey,
  anchor: anchorSchema.nullable(),
})
export type ReceiptFile = z.infer<typeof fileSchema>

export type FileProblem = 'size' | 'text' | JsonProblem | 'version' | 'format'

/** Checks the form of a file, and nothing that it says. */
export function readReceiptFile(bytes: Uint8Array): { file: ReceiptFile } | { reason: FileProblem } {
  if (bytes.length > FILE_BYTES_MAX) return { reason: 'size' }
  const text = decodeUtf8(bytes)
  if (text === undefined) return { reason: 'text' }
  const parsed = parseJson(text)
  if ('reason' in parsed) return parsed
  const file = fileSchema.safeParse(parsed.value)
  if (file.success) return { file: file.data }
  return { reason: isOtherVersion(parsed.value) ? 'version' : 'format' }
}

function isOtherVersion(value: unknown): boolean {
  const { tidenet, version } = (value ?? {}) as { tidenet?: unknown; version?: unknown }
  return tidenet === 'receipt' && typeof version === 'number' && version !== 1
}
