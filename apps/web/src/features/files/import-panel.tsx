import type { ImportItem } from '@tidenet/contract'
import { useEffect, useRef } from 'react'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Panel } from '../../ui/dialog.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { ImportForm } from './import-form.tsx'
import { ImportRow } from './import-row.tsx'
import { t } from './import-texts.ts'

const RUNNING_MS = 1500
const IDLE_MS = 15_000
const isOpen = ({ ended }: ImportItem) => ended === null

/** Begins imports into a folder, and shows those of the account. */
export function ImportPanel({ folder, name, onClose }: { folder: number; name: string; onClose: () => void }) {
  const imports = useQuery({
    ...query('imports.list', { page_size: 50 }),
    refetchInterval: ({ state }) => (state.data?.list.some(isOpen) ? RUNNING_MS : IDLE_MS),
  })
  const { list = [] } = imports.data ?? {}
  const open = list.filter(isOpen).length
  const before = useRef(0)
  useEffect(() => {
    // Files appear when an import ends.
    if (open < before.current) refresh('folders.contents', 'folders.search', 'usage.storageSize')
    before.current = open
  }, [open])
  return (
    <Panel open onClose={onClose} title={t.title}>
      <p className="mb-4 text-sm text-muted wrap-anywhere">{t.into(name)}</p>
      <ImportForm folder={folder} />
      <h3 className="mt-8 mb-2 font-semibold">{t.list}</h3>
      {imports.isPending ? (
        <Loading />
      ) : imports.isError ? (
        <LoadFailed title={t.failedList} error={imports.error} onRetry={() => void imports.refetch()} />
      ) : list.length === 0 ? (
        <p className="text-sm text-muted">{t.none}</p>
      ) : (
        <ul className="divide-y divide-line">
          {list.map((one) => (
            <ImportRow key={one.id} item={one} />
          ))}
        </ul>
      )}
    </Panel>
  )
}
