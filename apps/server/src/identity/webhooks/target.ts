import { AppError } from '@tidenet/contract'
import { isOutsideTarget } from '@tidenet/daemon'
import { readUrl } from '../../platform/read-url.ts'

/**
 * Reads the URL of a webhook. The address that a name leads to is checked at every delivery.
 * @param privateToo also http and private addresses, for development
 * @throws AppError webhookUrl
 */
export function readTarget(text: string, privateToo: boolean): { url: string; host: string } {
  const url = readUrl(text)
  if (!url || !isOutsideTarget(url, { privateToo })) throw new AppError('webhookUrl')
  url.hash = ''
  return { url: url.href, host: url.host }
}
