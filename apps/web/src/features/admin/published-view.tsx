import type { PublishedRoot } from '@tidenet/contract'
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Badge, Empty } from '../../ui/states.tsx'
import { t } from './abuse-texts.ts'
import { BlockDialog } from './block-dialog.tsx'
import { type Column, Filters, List, TextFilter } from './list.tsx'
import { useAdminSearch } from './search.ts'

const columns = (onBlock: (cid: string) => void): Column<PublishedRoot>[] => [
  {
    title: t.content,
    cell: ({ cid, name, state, blocked, uid, size, published_at }) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          <bdi>{name}</bdi>
          {blocked ? <Badge>{t.blockedNow}</Badge> : state !== 'ready' && <Badge>{t.publishedStates[state]}</Badge>}
        </span>
        {cid !== '' && (
          <span className="flex items-center gap-1">
            <span className="font-mono text-xs text-muted wrap-anywhere" translate="no">
              {cid}
            </span>
            <CopyIcon text={cid} label={t.cid} />
          </span>
        )}
        <span className="block text-xs text-muted wrap-anywhere lg:hidden">
          {[uid, formatSize(size), formatDateTime(published_at)].join(' · ')}
        </span>
      </>
    ),
  },
  { title: t.account, className: 'max-lg:hidden wrap-anywhere', cell: ({ uid }) => <span translate="no">{uid}</span> },
  {
    title: t.size,
    className: 'text-right whitespace-nowrap tabular-nums max-lg:hidden',
    cell: ({ size }) => formatSize(size),
  },
  {
    title: t.since,
    className: 'whitespace-nowrap tabular-nums max-lg:hidden',
    cell: ({ published_at }) => formatDateTime(published_at),
  },
  {
    title: '',
    className: 'text-right whitespace-nowrap',
    cell: ({ cid, name, blocked }) =>
      cid !== '' &&
      !blocked && (
        <Button aria-label={t.takeDown(name)} onClick={() => onBlock(cid)}>
          {t.blockShort}
        </Button>
      ),
  },
]

/** What accounts have published at the gateways of IPFS. To take it down is to block it. */
export function PublishedView() {
  const search = useAdminSearch()
  const [blocking, setBlocking] = useState<string>()
  const state = useQuery({
    ...query('admin.published', {
      ...(search.q && { cid: search.q }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  return (
    <>
      <Filters names={['q']}>
        <TextFilter name="q" label={t.oneCid} />
      </Filters>
      <List
        state={state}
        columns={columns(setBlocking)}
        keyOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        {...(!search.q && {
          empty: (
            <Empty icon={<Globe aria-hidden className="size-6" />} title={t.nothingPublished}>
              {t.nothingPublishedText}
            </Empty>
          ),
        })}
      />
      {blocking !== undefined && <BlockDialog cid={blocking} onClose={() => setBlocking(undefined)} />}
    </>
  )
}
