import type { Storage, VaultKey } from '@tidenet/storage'
import { CommandError } from './command-error.ts'
import { readLocalText } from './local-files.ts'
import { dataOf } from './portal.ts'
import { promptPassphrase } from './terminal.ts'
import { texts } from './texts.ts'

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

/** @throws CommandError 'usage' if more than one of these options was given */
export function oneOf<Options>(options: Options, names: readonly (keyof Options & string)[]): void {
  const [first, second] = names.filter((name) => options[name] !== undefined)
  if (first && second) throw new CommandError(texts.usage.twoOf(`--${first}`, `--${second}`), 'usage')
}
