import { renewalWindow } from './acme-client.ts'
import { type CertificateFacts, renewalIdOf } from './x509.ts'

/** When a certificate is renewed. */

export interface Renewal {
  /** What the CA suggested (ARI), Unix ms; undefined: it does not suggest. */
  window?: { start: number; end: number }
  /** Chosen in the window once, so that not all certificates are renewed at its start. */
  at?: number
  /** When the CA is asked again, Unix ms. */
  checkAt: number
}

/** Without a suggestion, a third of the life is left for failures. */
const RENEW_AFTER = 2 / 3
/** No suggestion delays it further. */
const RENEW_LATEST = 0.9
const HOUR_MS = 3_600_000
const CHECK_MS = { default: 6 * HOUR_MS, least: HOUR_MS, most: 24 * HOUR_MS }

/** Unix ms. */
export function renewAtOf(
  { notBefore, notAfter }: Pick<CertificateFacts, 'notBefore' | 'notAfter'>,
  renewal: Renewal | undefined,
): number {
  const after = (share: number) => notBefore + (notAfter - notBefore) * share
  return renewal?.at === undefined ? after(RENEW_AFTER) : Math.min(renewal.at, after(RENEW_LATEST))
}

/** Whether an order may name the certificate that it replaces: from the time that the CA suggested. */
export const isSuggested = (renewal: Renewal | undefined, now: number): boolean =>
  renewal?.window !== undefined && now >= renewal.window.start

/** Whether the CA does not count such an order: within the time that it suggested. A later one replaces, and is counted. */
export const isExempt = (renewal: Renewal | undefined, now: number): boolean =>
  isSuggested(renewal, now) && now < (renewal?.window?.end ?? 0)

/** Asks the CA; a CA that does not answer has no other suggestion than before. */
export async function suggestedRenewal(
  directory: string,
  certificate: Pick<CertificateFacts, 'cert'>,
  before: Renewal | undefined,
  now: number,
): Promise<Renewal> {
  const again = { ...before, checkAt: now + CHECK_MS.default }
  try {
    const id = renewalIdOf(certificate.cert)
    const found = id && (await renewalWindow(directory, id))
    if (!found) return again
    const { start, end, retryAfterMs } = found
    const checkAt = now + Math.min(Math.max(retryAfterMs || CHECK_MS.default, CHECK_MS.least), CHECK_MS.most)
    if (before?.window?.start === start && before.window.end === end) return { ...before, checkAt }
    return { window: { start, end }, at: start + Math.random() * (end - start), checkAt }
  } catch {
    return again
  }
}
