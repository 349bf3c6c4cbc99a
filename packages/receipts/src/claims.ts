import { ASSET_TYPES } from '@tidenet/contract/storage-enums'
import { z } from 'zod'

/** The claims of receipts (decision 25). Amounts are integers: bytes, seconds, whole coins, millionths of a point. Times are unix seconds. */

export const RECEIPT_TYPE = 'tidenet-receipt'
export const LOG_NAME = /^tidenet-log-[0-9a-f]{8}$/

export const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** Visible ASCII, so that every program writes and compares it in the same way, and no line break can move a part of a signed text. */
const name = z.string().regex(/^[!-~]{1,200}$/)
/** Ed25519, base64url. The last character has unused bits, which are 0. */
export const publicKey = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/)
const signature = z.string().regex(/^[A-Za-z0-9_-]{85}[AQgw]$/)
/** Upper-case hex. */
export const transactionHash = z.string().regex(/^[0-9A-F]{64}$/)

/** A full hour. */
const hour = count.multipleOf(3600)

const common = {
  iss: z.string().regex(LOG_NAME),
  /** Number of the receipt, unique in `iss`. */
  id: count,
  /** Leaf in the log. */
  index: count,
  iat: count,
}

/** An asset was listed in an account. `node`: the node that received the bytes; absent if the network had them. */
export const uploadClaims = z.strictObject({
  ...common,
  kind: z.literal('upload'),
  sub: name,
  node: name.optional(),
  cid: name,
  type: z.enum(ASSET_TYPES),
  size: count,
})

/** What a node sent in one download, as reader and node signed it. A later receipt of the same trace and node replaces earlier ones. */
export const downloadClaims = z
  .strictObject({
    ...common,
    kind: z.literal('download'),
    /** The account that pays for the traffic; absent for anonymous files. */
    sub: name.optional(),
    node: name,
    trace: name,
    cid: name,
    /** Public key of this download, and the reader's signature of `receivedText` with `received` bytes. */
    reader_key: publicKey,
    received: count,
    reader_signature: signature,
    /** Public key of the node, and its signature of `sentText` with `sent` bytes. */
    node_key: publicKey,
    sent: count,
    node_signature: signature,
    /** Bytes that count as signed: at most both of them, and at most the quota of the account. */
    signed: count,
  })
  .refine(({ signed, received, sent }) => signed <= Math.min(received, sent))

/** What a node held and served in one hour: the input of the formula of earnings. */
export const nodeHourClaims = z.strictObject({
  ...common,
  kind: z.literal('node_hour'),
  /** The account that owned the node when the hour was closed; absent if there is none. */
  sub: name.optional(),
  node: name,
  /** When the hour begins. */
  hour,
  trusted: z.boolean(),
  passed: count,
  failed: count,
  /** Time of the last passed audit before the end of the hour; 0 if there is none. */
  audited: count,
  /** Bytes of copies that count, when the hour was closed. */
  held: count,
  /** Seconds in which the node was online. */
  online: count.max(3600),
  /** Vetted edges at the address of the node, with itself: the hours that all of them spent there, rounded. */
  crowd: count,
  /** Bytes that reader and node signed and that may earn (decision 26), of what the node reported in this hour. */
  signed: count,
  /** Millionths of the bytes of all contents that paying accounts store, when the hour was closed. */
  paid_share: count.max(1_000_000),
})

/** A payment of an order was found on the chain. */
export const orderClaims = z.strictObject({
  ...common,
  kind: z.literal('order'),
  sub: name,
  order: name,
  purpose: z.enum(['create', 'extend', 'update', 'renew']),
  wallet: name,
  amount: count,
  /** Total hours of the order after the payment. */
  hours: count,
  tx: transactionHash,
})

/** The contract settled an order. Hours that have begun are not refunded, so that the sum is not a whole number of coins. */
export const refundClaims = z.strictObject({
  ...common,
  kind: z.literal('refund'),
  sub: name,
  order: name,
  wallet: name,
  /** In the smallest unit of the token, which has so many decimals. */
  units: z.string().regex(/^(0|[1-9]\d{0,38})$/),
  decimals: z.number().int().min(0).max(38),
  /** Absent if the chain did not find the transaction that settled it. */
  tx: transactionHash.optional(),
})

/** A workspace was not available, as probes of the network measured it, within the hours of an order. The network owes the sum. */
export const outageClaims = z
  .strictObject({
    ...common,
    kind: z.literal('outage'),
    sub: name,
    order: name,
    /** The cluster did not answer, or it had lost a program that it had started. */
    cause: z.enum(['cluster', 'lost']),
    from: count,
    to: count,
    /** Failed probes in this time. */
    probes: count,
    wallet: name,
    /** As of a refund. */
    units: z.string().regex(/^(0|[1-9]\d{0,38})$/),
    decimals: z.number().int().min(0).max(38),
  })
  .refine(({ from, to }) => from <= to)

/** Coins that the network paid: a faucet claim, or redeemed points. */
export const claimClaims = z.strictObject({
  ...common,
  kind: z.literal('claim'),
  sub: name,
  purpose: z.enum(['faucet', 'redemption']),
  wallet: name,
  amount: count,
  tx: transactionHash,
})

/** What a device earned on one day (UTC), and in each of its hours, in order. */
export const earningsClaims = z
  .strictObject({
    ...common,
    kind: z.literal('earnings'),
    sub: name,
    node: name,
    day: z.iso.date().regex(/^2/),
    /** Millionths of a point. */
    traffic: count,
    storage: count,
    hours: z
      .array(
        z.strictObject({
          hour,
          /** Version of the formula. */
          version: count,
          /** Id of the `node_hour` receipt. */
          receipt: count,
          traffic: count,
          storage: count,
        }),
      )
      .max(24),
  })
  .refine(({ day, hours }) =>
    hours.every(({ hour }) => hour - (hour % 86_400) === Date.parse(`${day}T00:00:00Z`) / 1000),
  )
  .refine(({ hours }) => hours.every(({ hour }, at) => at === 0 || hour > hours[at - 1]!.hour))
  .refine((claims) => (['traffic', 'storage'] as const).every((cause) => claims[cause] === sumOf(claims.hours, cause)))

const sumOf = <K extends string>(hours: readonly Record<K, number>[], cause: K): number =>
  hours.reduce((sum, each) => sum + each[cause], 0)

export const receiptClaims = z.discriminatedUnion('kind', [
  uploadClaims,
  downloadClaims,
  nodeHourClaims,
  orderClaims,
  refundClaims,
  outageClaims,
  claimClaims,
  earningsClaims,
])

export type ReceiptClaims = z.infer<typeof receiptClaims>
export type ReceiptKind = ReceiptClaims['kind']
export type ClaimsOf<K extends ReceiptKind> = Extract<ReceiptClaims, { kind: K }>
/** What an issuer states; the log adds the rest. */
export type Stated<K extends ReceiptKind = ReceiptKind> = K extends ReceiptKind
  ? Omit<ClaimsOf<K>, 'iss' | 'id' | 'index' | 'iat'>
  : never
