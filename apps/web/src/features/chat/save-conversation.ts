import { paths } from '@tidenet/contract/paths.gen'
import { ApiError } from '../../lib/api.ts'
import { currentToken } from '../../lib/session-store.ts'
import { lang, t } from '../../lib/texts.ts'
import { caller } from './client.ts'

/** Downloads the conversation as a JSON file. @throws ApiError */
export async function saveConversation(): Promise<void> {
  const token = currentToken()
  const answer = await fetch(paths['chat.export'].path, {
    method: 'POST',
    headers: { lang, 'content-type': 'application/json', ...(token && { JwtAuthorization: `Bearer ${token}` }) },
    body: JSON.stringify(caller()),
  }).catch(() => {
    throw new ApiError('network', t.errors.network)
  })
  const file = (await answer.json().catch(() => undefined)) as { messages?: unknown; msg?: string } | undefined
  if (!answer.ok || !file?.messages) throw new ApiError('server', file?.msg ?? t.errors.server)
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(file, undefined, 2)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `support-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
