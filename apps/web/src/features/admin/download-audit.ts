import { paths } from '@tidenet/contract/paths.gen'
import { currentToken } from '../../lib/session-store.ts'
import { lang } from '../../lib/texts.ts'

/** Downloads the audit log as CSV. As a blob, because a plain link cannot send the token; browsers keep large blobs on disk. */
export async function downloadAudit(filter: Record<string, string>): Promise<void> {
  const answer = await fetch(`${paths['admin.auditCsv'].path}?${new URLSearchParams(filter)}`, {
    headers: { lang, JwtAuthorization: `Bearer ${currentToken()}` },
  })
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('text/csv'))
    throw new Error('The response is not CSV')
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `tidenet-audit-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
