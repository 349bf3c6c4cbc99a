import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ShortLink } from '@tidenet/contract'
import { LINK_STATES } from '@tidenet/contract/storage-enums'
import { Folder, Link2 } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import type { LinksSearch } from '../../searches.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Select } from '../../ui/select.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { FileIcon } from '../preview/file-icon.tsx'
import { LinkItem, RevokedLink } from './link-item.tsx'
import { t } from './link-texts.ts'
import { Publications } from './publications.tsx'

/** Pause in typing after which the search starts. */
const TYPING_MS = 300

/** All share links of the account. */
export function LinksPage() {
  const title = usePageTitle(t.page.title)
  const search = useSearch({ from: '/console/links' })
  const { q = '', state, page = 1 } = search
  const rows = usePreferences((preferences) => preferences.rows)
  const navigate = useNavigate()
  const go = (changed: LinksSearch) =>
    void navigate({ to: '/links', search: { ...search, page: undefined, ...changed }, replace: true })
  // Deferred, so that rendering a long list does not block the page on a slow phone.
  const links = useDeferredValue(
    useQuery({
      ...query('shortLinks.list', { page, page_size: rows, ...(q && { q }), ...(state && { state }) }),
      ...paged,
    }),
  )
  const isFiltered = q !== '' || state !== undefined
  const isRevoked = state === 'revoked'
  const count = useRef<HTMLSpanElement>(null)
  const { list = [], total = 0 } = links.data ?? {}
  return (
    <div className="mx-auto max-w-5xl">
      <PageTitle title={title} intro={t.page.intro} />
      {(isFiltered || total > 0) && (
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <SearchText value={q} onChange={(text) => go({ q: text || undefined })} />
          <Select
            label={t.page.state}
            value={state ?? 'all'}
            options={[
              { value: 'all', label: t.page.allStates },
              ...LINK_STATES.map((each) => ({ value: each, label: t.link.states[each] })),
            ]}
            onChange={(chosen) => go({ state: chosen === 'all' ? undefined : (chosen as LinksSearch['state']) })}
          />
          <span ref={count} tabIndex={-1} className="ml-auto text-sm text-muted" role="status">
            {links.data && t.page.count(total)}
          </span>
        </div>
      )}
      {links.isPending ? (
        <Loading />
      ) : links.isError ? (
        <LoadFailed title={t.page.failed} error={links.error} onRetry={() => void links.refetch()} />
      ) : list.length === 0 ? (
        <Card>
          <Empty
            icon={<Link2 aria-hidden className="size-6" />}
            title={isRevoked && q === '' ? t.page.noRevokedTitle : isFiltered ? t.page.noneTitle : t.page.emptyTitle}
          >
            {isRevoked && q === '' ? null : isFiltered ? (
              t.page.noneText
            ) : (
              <>
                <p>{t.page.emptyText}</p>
                <Link to="/fileStorage" className={buttonClass('primary', 'mt-4')}>
                  {t.page.toFiles}
                </Link>
              </>
            )}
          </Empty>
        </Card>
      ) : (
        <Card>
          <ul className="divide-y divide-line">
            {list.map((link) =>
              link.state === 'revoked' ? (
                // The restored link leaves the list, and its button with it: the keyboard continues at the top of the list.
                <RevokedLink key={link.id} link={link} onRestored={() => count.current?.focus()}>
                  <Item item={link.item} />
                </RevokedLink>
              ) : (
                <LinkItem key={link.id} link={link}>
                  <Item item={link.item} />
                </LinkItem>
              ),
            )}
          </ul>
        </Card>
      )}
      <p className="mt-4 text-sm text-muted">
        {t.page.revokedHint}{' '}
        <Link to="/links" search={isRevoked ? {} : { state: 'revoked' }} className="text-accent underline">
          {isRevoked ? t.page.showOthers : t.page.showRevoked}
        </Link>
      </p>
      {total > rows && (
        <div className="mt-4">
          <Pager page={page} total={total} onPage={(next) => go({ page: next > 1 ? next : undefined })} />
        </div>
      )}
      <Publications />
    </div>
  )
}

/** Searches while one types, but not at every key. */
function SearchText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `onChange` starts no search
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <SearchInput
      label={t.page.search}
      placeholder={t.page.search}
      className="min-w-0 grow basis-full sm:max-w-sm sm:basis-0"
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

/** What a link opens, and where it is. */
function Item({ item }: { item: ShortLink['item'] }) {
  const { kind, name, cid, folder, path } = item
  if (name === '') return <p className="text-sm text-muted">{t.link.trashed}</p>
  const place = kind === 'group' ? { folder: Number(cid) } : folder > 0 ? { folder } : {}
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2">
      {kind === 'group' ? (
        <Folder aria-hidden className="size-4.5 shrink-0 fill-accent-soft text-accent" />
      ) : (
        <FileIcon name={name} folder={kind === 'folder'} className="size-4.5 shrink-0 text-muted" />
      )}
      <Link to="/fileStorage" search={place} className="min-w-0 truncate font-medium hover:underline" title={name}>
        {name}
      </Link>
      <span className="min-w-0 truncate text-sm text-muted">{[t.page.root, ...path].join(' / ')}</span>
    </p>
  )
}
