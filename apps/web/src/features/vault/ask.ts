import type { VaultKey } from '@tidenet/storage'
import { useVault } from './store.ts'

/** The key. Asks to unlock it, or to set up encryption. Undefined if the dialog is closed. */
export async function askVault(): Promise<VaultKey | undefined> {
  const { key } = useVault.getState()
  if (key) return key
  const { showVaultDialog } = await import('./vault-dialog.tsx')
  return showVaultDialog()
}
