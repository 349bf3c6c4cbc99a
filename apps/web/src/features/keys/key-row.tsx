import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { formatList } from '../../lib/phrases.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Badge } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { CapsUsed } from './caps-used.tsx'
import { folderList, type Key } from './key.ts'
import { abilities } from './permissions.ts'
import { restoreKey } from './restore-key.ts'
import { t as s3 } from './s3-texts.ts'
import { t } from './texts.ts'

/** A key that expires within this time is marked. */
const EXPIRING_MS = 7 * 86_400_000

interface Props {
  apiKey: Key
  onEdit: () => void
  onRotate: () => void
}

/** A key: what it can do, its limits and its use, with its actions. */
export function KeyRow({ apiKey, onEdit, onRotate }: Props) {
  const { name, key, type, folders, group_id, ips } = apiKey
  const [asking, setAsking] = useState<'revoke' | 'endFormer'>()
  const [may, mayNot] = group_id === null ? abilities(apiKey) : [t.forWorkspace]
  const revoke = async () => {
    await api('apiKeys.remove', { key_name: name })
    refresh('apiKeys.list')
    toast.success(t.revoked, { title: t.undo, act: () => void restoreKey(name).catch(toast.error) })
  }
  const endFormer = async () => {
    await api('apiKeys.change', { key_name: name, end_former: true })
    refresh('apiKeys.list')
    toast.success(t.ended)
    setAsking(undefined)
  }
  return (
    <li className="border-b border-line p-5 last:border-b-0">
      <h2 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
        <span translate="no">{name}</span>
        <Badge tone={type === 'admin' ? 'accent' : 'plain'}>{type === 'admin' ? t.page.admin : t.page.normal}</Badge>
        <ExpiryBadge at={apiKey.expires_at} />
        <code className="font-mono text-sm font-normal text-muted">{key}…</code>
      </h2>
      <p className="mt-1">{may}</p>
      {mayNot && <p className="text-sm text-muted">{mayNot}</p>}
      {folders && <p className="text-sm wrap-anywhere text-muted">{t.limitedTo(folderList(folders))}</p>}
      {ips.length > 0 && <p className="text-sm wrap-anywhere text-muted">{t.fromIps(formatList(ips))}</p>}
      <CapsUsed apiKey={apiKey} />
      <p className="mt-2 flex flex-wrap gap-x-5 text-sm text-muted">
        {facts(apiKey).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {group_id === null && (
        <p className="mt-1 text-sm wrap-anywhere text-muted">
          {apiKey.access_key_id ? s3.of(apiKey.access_key_id) : s3.none}
        </p>
      )}
      <Former apiKey={apiKey} onEnd={() => setAsking('endFormer')} />
      <div className="mt-3 -ml-3.5 flex flex-wrap gap-1">
        <Button look="ghost" aria-label={t.editOf(name)} onClick={onEdit}>
          {t.edit}
        </Button>
        <Button look="ghost" aria-label={t.rotateOf(name)} onClick={onRotate}>
          {t.rotate}
        </Button>
        <Button look="quietDanger" aria-label={t.revokeOf(name)} onClick={() => setAsking('revoke')}>
          {t.revoke}
        </Button>
      </div>
      {asking === 'revoke' && (
        <Confirm
          title={t.revokeTitle(name)}
          text={t.revokeText}
          action={t.revoke}
          onClose={() => setAsking(undefined)}
          onConfirm={revoke}
        />
      )}
      {asking === 'endFormer' && (
        <Confirm
          title={t.endTitle(apiKey.former.length, name)}
          text={t.endText}
          action={endWord(apiKey)}
          onClose={() => setAsking(undefined)}
          onConfirm={endFormer}
        />
      )}
    </li>
  )
}

function ExpiryBadge({ at }: { at: string | null }) {
  const left = at === null ? Number.POSITIVE_INFINITY : Date.parse(at) - Date.now()
  if (left > EXPIRING_MS) return null
  return <Badge tone="warn">{left <= 0 ? t.expired : t.expiring}</Badge>
}

function facts({ last_used, last_used_from, expires_at, time, rotated_at }: Key): string[] {
  return [
    usedText(last_used, last_used_from),
    ...(expires_at
      ? [(Date.parse(expires_at) <= Date.now() ? t.expiredAt : t.expiresAt)(formatDateTime(expires_at))]
      : []),
    t.madeAt(formatDateTime(time)),
    ...(rotated_at ? [t.rotatedAt(formatDateTime(rotated_at))] : []),
  ]
}

function usedText(at: string | null, network: string | null = null): string {
  if (!at) return t.unused
  return network ? t.usedFrom(formatDateTime(at), network) : t.usedAt(formatDateTime(at))
}

const endWord = ({ former }: Key) => (former.length === 1 ? t.endFormer : t.endAllFormer)

/** Replaced keys that still work, and whether a program still uses them. */
function Former({ apiKey, onEnd }: { apiKey: Key; onEnd: () => void }) {
  if (apiKey.former.length === 0) return null
  return (
    <div className="mt-3 rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-sm">
      <ul className="flex flex-col gap-1">
        {apiKey.former.map(({ key, until, last_used }) => (
          <li key={`${key} ${until}`}>
            {t.former(key, formatDateTime(until))} <span className="text-muted">{usedText(last_used)}</span>
          </li>
        ))}
      </ul>
      <Button className="mt-2" onClick={onEnd}>
        {endWord(apiKey)}
      </Button>
    </div>
  )
}
