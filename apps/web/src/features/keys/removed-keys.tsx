import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import type { RemovedKey } from './key.ts'
import { restoreKey } from './restore-key.ts'
import { t } from './texts.ts'

/** Revoked keys that can still be restored. */
export function RemovedKeys({ keys }: { keys: readonly RemovedKey[] }) {
  const [busy, setBusy] = useState('')
  if (keys.length === 0) return null
  const restore = async (name: string) => {
    setBusy(name)
    await restoreKey(name).catch(toast.error)
    setBusy('')
  }
  return (
    <section aria-labelledby="revoked-keys" className="mt-8">
      <h2 id="revoked-keys" className="mb-2 text-lg font-semibold">
        {t.revokedKeys}
      </h2>
      <Card>
        <ul>
          {keys.map(({ name, key, until }) => (
            <li
              key={name}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0"
            >
              <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
                <span translate="no">{name}</span> <code className="font-mono text-sm text-muted">{key}…</code>
                <span className="block text-sm text-muted">{t.restoreUntil(formatDateTime(until))}</span>
              </p>
              <Button busy={busy === name} aria-label={t.restoreOf(name)} onClick={() => void restore(name)}>
                {t.restore}
              </Button>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
