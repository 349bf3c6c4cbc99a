import { paths } from '@tidenet/contract/paths.gen'
import { currentToken } from '../../lib/session-store.ts'
import { lang } from '../../lib/texts.ts'

/** Saves what a call answers. As a blob, because a plain link cannot send the token; browsers keep large blobs on disk. */
export async function downloadFile(
  operation: 'activity.csv' | 'accountExport.get',
  name: string,
  query: Record<string, string> = {},
): Promise<void> {
  const answer = await fetch(`${paths[operation].path}?${new URLSearchParams(query)}`, {
    headers: { lang, JwtAuthorization: `Bearer ${currentToken()}` },
  })
  // Refusals are no attachments.
  if (!answer.ok || !answer.headers.has('content-disposition')) throw new Error('The response is no file')
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
