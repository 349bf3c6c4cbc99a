import { createHash } from 'node:crypto'
import { type Client, crypto } from 'acme-client'
import { AcmeError, acmeClientOf } from './acme-client.ts'
import type { Documents } from './documents.ts'

export interface Authority {
  /** Address of the CA's ACME directory. Whoever uses it accepts the terms of service of the CA. */
  directory: string
  /** Certificates that the CA's own server is trusted by beside those of Node.js, PEM: for a CA of one's own. */
  roots?: string
  /** Where the CA sends warnings. */
  email?: string
  /** For CAs that require an account of their web site. */
  externalAccount?: { kid: string /** base64url */; hmacKey: string }
  /** Kind of certificate, such as `tlsserver` or `shortlived`; default: the CA's choice. */
  profile?: string
}

interface AccountDocument {
  /** PEM. */
  key: string
  url?: string
}

/** Separates what is stored for several CAs. */
export const authorityIdOf = ({ directory }: Authority): string =>
  createHash('sha256').update(directory).digest('hex').slice(0, 16)

/**
 * A client with the account of this store, which is registered if it is not yet. Servers that share the store share the account: the first
 * key that is stored wins, and registering the same key twice gives the same account.
 * @throws AcmeError
 */
export async function accountClient(documents: Documents, authority: Authority): Promise<Client> {
  const { directory, email, externalAccount } = authority
  const key = `account/${authorityIdOf(authority)}`
  let account = await documents.read<AccountDocument>(key)
  if (!account) {
    const made: AccountDocument = { key: (await crypto.createPrivateEcdsaKey('P-256')).toString() }
    account = await documents.change<AccountDocument, AccountDocument>(key, (before) => ({
      after: before ?? made,
      result: before ?? made,
    }))
  }
  const client = acmeClientOf({ directory, key: account.key, url: account.url, externalAccount })
  if (account.url) return client
  await register(client, email)
  await documents.write(key, { ...account, url: client.getAccountUrl() } satisfies AccountDocument)
  return client
}

/** The library updates an account that exists, and CAs refuse an update that changes nothing; it knows the account by then. */
async function register(client: Client, email: string | undefined) {
  try {
    await client.createAccount({ termsOfServiceAgreed: true, ...(email && { contact: [`mailto:${email}`] }) })
  } catch (error) {
    try {
      client.getAccountUrl()
    } catch {
      throw error
    }
  }
}

/** The CA does not know the account any more, for example because it is a CA for tests: it is registered again, with the same key. */
export async function forgetLostAccount(documents: Documents, authority: Authority, error: unknown): Promise<void> {
  if (!(error instanceof AcmeError) || error.code !== 'accountDoesNotExist') return
  await documents.change<AccountDocument, void>(`account/${authorityIdOf(authority)}`, (before) => ({
    after: before && { key: before.key },
    result: undefined,
  }))
}
