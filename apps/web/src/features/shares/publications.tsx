import { Link } from '@tanstack/react-router'
import type { Publication } from '@tidenet/contract'
import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Card } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { FileIcon } from '../preview/file-icon.tsx'
import { unpublish } from './publish-dialog.tsx'
import { t } from './publish-texts.ts'

/** What the account has published on IPFS; nothing if it has published nothing. */
export function Publications() {
  const rows = usePreferences((preferences) => preferences.rows)
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...query('publications.list', { page, page_size: rows }), ...paged })
  if (!data || data.total === 0) return null
  return (
    <section id="published" aria-labelledby="published-title" className="mt-10">
      <h2 id="published-title" className="text-lg font-semibold">
        {t.list.title}
      </h2>
      <p className="mb-3 text-sm text-muted">{t.list.intro}</p>
      <Card>
        <ul className="divide-y divide-line">
          {data.list.map((publication) => (
            <Row key={`${publication.asset_id} ${publication.folder_id}`} publication={publication} />
          ))}
        </ul>
      </Card>
      {data.total > rows && (
        <div className="mt-4">
          <Pager page={page} total={data.total} onPage={setPage} />
        </div>
      )}
    </section>
  )
}

function Row({ publication }: { publication: Publication }) {
  const { cid, folder_id, kind, name, size, folder, state, published_at, url } = publication
  const [busy, setBusy] = useState(false)
  const stop = async () => {
    setBusy(true)
    try {
      await unpublish(publication)
      refresh('publications.list')
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <li className="flex items-center gap-2 px-4 py-3">
      <FileIcon name={name} folder={kind === 'folder'} className="size-4.5 shrink-0 text-muted" />
      <div className="mr-auto min-w-0">
        <Link
          to="/fileStorage"
          search={folder_id > 0 ? { folder: folder_id } : folder > 0 ? { folder } : {}}
          className="block truncate font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
        <p className="text-sm text-muted">
          {[t.list.states[state], formatSize(size), formatDateTime(published_at)].join(' · ')}
        </p>
      </div>
      {cid !== '' && <CopyIcon text={url || `ipfs://${cid}`} label={t.list.copy(name)} />}
      <IconButton label={t.list.stop(name)} disabled={busy} onClick={() => void stop()}>
        <EyeOff aria-hidden className="size-4" />
      </IconButton>
    </li>
  )
}
