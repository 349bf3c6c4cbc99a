import { z } from 'zod'

/**
 * Why a node has no certificate, or no newer one; empty: nothing is wrong. `queued`: it is being ordered; `unreached`: the server has not
 * reached the node, so nothing is ordered; `quota`: it waits for a limit of the CA; `request`: the CA refused the node's key; `clock`: the
 * node's clock is wrong; `dns`: the CA does not get the right answers from our name server; `ca`: the CA is away or refuses; `expired`.
 */
export const CERTIFICATE_PROBLEMS = [
  '',
  'queued',
  'unreached',
  'quota',
  'request',
  'clock',
  'dns',
  'ca',
  'expired',
] as const
export type CertificateProblem = (typeof CERTIFICATE_PROBLEMS)[number]

/** The certificate of a node, as its owner and operators see it. */
export const nodeCertificate = z.object({
  /** When it expires; null: there is none yet. */
  until: z.string().nullable(),
  problem: z.enum(CERTIFICATE_PROBLEMS),
  /** Since when; null without a problem. */
  since: z.string().nullable(),
  /** What the CA says, in English; for `clock`, by how many seconds the node's clock is ahead. */
  detail: z.string(),
})
export type NodeCertificate = z.infer<typeof nodeCertificate>
