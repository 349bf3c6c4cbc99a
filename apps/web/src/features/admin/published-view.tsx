import { Link } from '@tanstack/react-router'
import type { PublishedRoot } from '@tidenet/contract'
import { Globe, SearchX } from 'lucide-react'
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

const Account = ({ uid }: { uid: string }) => (
  <Link
    to="/admin"
    search={{ view: 'users', open: uid } as never}
    className="text-accent underline wrap-anywhere"
    translate="no"
  >
    {uid}
  </Link>
)

/** @param asked the CID that was searched for; empty without a search */
const columns = (asked: string, onBlock: (cid: string) => void): Column<PublishedRoot>[] => [
  {
    title: t.content,
    cell: ({ cid, kind, name, state, blocked, uid, size, published_at }) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          <bdi>{name}</bdi>
          {kind === 'folder' && <Badge>{t.folder}</Badge>}
          {blocked ? <Badge>{t.blockedNow}</Badge> : state !== 'ready' && <Badge>{t.publishedStates[state]}</Badge>}
          {asked !== '' && cid !== asked && <Badge>{t.contains}</Badge>}
        </span>
        {cid !== '' && (
          <span className="flex items-center gap-1">
            <span className="font-mono text-xs text-muted wrap-anywhere" translate="no">
              {cid}
            </span>
            <CopyIcon text={cid} label={t.cid} />
          </span>
        )}
        <span className="flex flex-wrap gap-x-3 text-xs text-muted lg:hidden">
          <Account uid={uid} />
          <span className="whitespace-nowrap">{formatSize(size)}</span>
          <span className="whitespace-nowrap">{formatDateTime(published_at)}</span>
        </span>
      </>
    ),
  },
  { title: t.account, className: 'max-lg:hidden wrap-anywhere', cell: ({ uid }) => <Account uid={uid} /> },
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
  const asked = state.data?.cid ?? ''
  const list = state.data?.list ?? []
  const blockAsked = (
    <Button look="primary" onClick={() => setBlocking(asked)}>
      {t.blockAsked}
    </Button>
  )
  return (
    <>
      <div className="gap-x-3 sm:flex sm:flex-wrap sm:items-end sm:justify-between">
        <Filters names={['q']}>
          <TextFilter name="q" label={t.cidOrAddress} />
        </Filters>
        {/* If the search finds the CID only as a part, it can be blocked alone; the rest stays published. */}
        {search.q && list.length > 0 && !list.some(({ cid }) => cid === asked) && (
          <span className="mb-4 block">{blockAsked}</span>
        )}
      </div>
      <List
        state={state}
        columns={columns(asked, setBlocking)}
        keyOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        empty={
          search.q ? (
            <Empty icon={<SearchX aria-hidden className="size-6" />} title={t.notPublished}>
              <p className="mb-4">{t.notPublishedText}</p>
              {blockAsked}
            </Empty>
          ) : (
            <Empty icon={<Globe aria-hidden className="size-6" />} title={t.nothingPublished}>
              {t.nothingPublishedText}
            </Empty>
          )
        }
      />
      {blocking !== undefined && <BlockDialog cid={blocking} onClose={() => setBlocking(undefined)} />}
    </>
  )
}
