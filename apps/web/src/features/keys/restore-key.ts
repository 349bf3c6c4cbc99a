import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

/** Restores the key of this name that was revoked last. */
export async function restoreKey(name: string): Promise<void> {
  await api('apiKeys.restore', { key_name: name })
  refresh('apiKeys.list')
  toast.success(t.restored)
}
