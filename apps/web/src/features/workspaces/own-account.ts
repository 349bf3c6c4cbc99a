import { api } from '../../lib/api.ts'
import { currentToken } from '../../lib/session-store.ts'

/** The console account of whoever is signed in to the portal in this browser; undefined if there is none. */
export async function findOwnAccount(): Promise<string | undefined> {
  const token = currentToken()
  if (token === '') return undefined
  // With the token given, an expired portal session does not leave this page.
  const info = await api('wallets.bindInfo', {}, { token }).catch(() => undefined)
  return info?.keplr || undefined
}

/** A console token for this account, from the session of the portal. @throws ApiError */
export const requestConsoleToken = async (): Promise<{ account: string; consoleToken: string }> => {
  const { account, ticket } = await api('clusters.ticket', {}, { token: currentToken() })
  return { account, consoleToken: ticket }
}
