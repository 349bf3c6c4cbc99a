import type { VaultKey } from '@tidenet/storage'
import { create } from 'zustand'
import { onSessionEnd, onUserChange } from '../../lib/session-store.ts'

/** The unlocked key of the account's encrypted folders: in the memory of this tab, and nowhere else. */
export const useVault = create<{ key: VaultKey | undefined }>()(() => ({ key: undefined }))

export const lockVault = (): void => useVault.setState({ key: undefined })

onSessionEnd(lockVault)
onUserChange(lockVault)
