import { paths } from '@tidenet/contract/paths.gen'
import { currentToken } from '../../lib/session-store.ts'
import { lang } from '../../lib/texts.ts'

/** Fetches the audit log as a table and hands it to the browser as a file; its bytes wait on disk, not in this page. */
export async function downloadAudit(filter: Record<string, string>): Promise<void> {
  const answer = await fetch(`${paths['admin.auditCsv'].path}?${new URLSearchParams(filter)}`, {
    headers: { lang, JwtAuthorization: `Bearer ${currentToken()}` },
  })
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('text/csv')) throw new Error('no table came')
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `tidenet-audit-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
