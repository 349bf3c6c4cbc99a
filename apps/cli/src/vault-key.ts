import type { Storage, VaultKey } from '@tidenet/storage'
import { readLocalText } from './local-files.ts'
import { dataOf } from './portal.ts'
import { promptPassphrase } from './terminal.ts'

export interface VaultOptions {
  vault?: true
  kit?: string
}

/**
 * The key of the account's vault, if the options ask for it: by its passphrase, or from a recovery kit without asking the portal.
 * @throws CommandError
 */
export async function vaultKey(storage: Storage, { vault, kit }: VaultOptions): Promise<VaultKey | undefined> {
  if (kit !== undefined) return dataOf(await storage.vault.openKit(readLocalText(kit)))
  if (!vault) return undefined
  return dataOf(await storage.vault.unlock({ passphrase: await promptPassphrase({ twice: false }) }))
}
