import { api } from '../../lib/api.ts'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

interface FolderKey {
  /** Of the key; a time is added, because names are unique. */
  name: string
  /** What the key may do, and in which folder. */
  terms: { group_id: number } | { type: 'normal'; perms: string[]; folders: number[] }
  /** `call`: the key is removed after the call. `program`: only if the call fails; afterwards it belongs to a program. */
  lifetime: 'call' | 'program'
}

/**
 * Creates an API key for one folder with the portal's session, and calls with it. Tells the user if the key could not be removed.
 * @throws ApiError
 */
export async function withFolderKey<T>(
  { name: start, terms, lifetime }: FolderKey,
  use: (key: string) => Promise<T>,
): Promise<T> {
  const name = `${start} ${Date.now().toString(36)}`
  const { key } = await api('apiKeys.create', { key_name: name, ...terms })
  let isKept = false
  try {
    const result = await use(key)
    isKept = lifetime === 'program'
    return result
  } finally {
    if (!isKept) await api('apiKeys.remove', { key_name: name }).catch(() => toast.error(t.files.keyLeft(name)))
  }
}
