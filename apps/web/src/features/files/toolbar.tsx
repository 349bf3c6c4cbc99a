import { ArrowDownUp, Keyboard, LayoutGrid, List, ListFilter, Search, SlidersHorizontal, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { buttonClass, IconButton, iconButtonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { inputClass } from '../../ui/field.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import type { SortKey } from './entry-head.tsx'
import { t } from './texts.ts'
import type { ListQuery } from './use-entries.ts'
import { useView } from './view.ts'

export type Filter = Pick<ListQuery, 'kind' | 'shared' | 'encrypted'>

export const filterCount = ({ kind, shared, encrypted }: Filter): number =>
  [kind, shared, encrypted].filter((option) => option !== undefined).length

interface Sort {
  key: SortKey | undefined
  descending: boolean
  onSort: (key: SortKey | undefined, descending?: boolean) => void
}

interface ToolbarProps {
  query: string
  onQuery: (query: string) => void
  filter: Filter
  onFilter: (filter: Filter) => void
  /** Undefined during a search: search results have their own order. */
  sort?: Sort
  searchRef: RefObject<HTMLInputElement | null>
  onHelp: () => void
}

/** Search, filters, sorting and view options. */
export function Toolbar({ query, onQuery, filter, onFilter, sort, searchRef, onHelp }: ToolbarProps) {
  const { layout } = useView()
  const Layout = layout === 'grid' ? List : LayoutGrid
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField query={query} onQuery={onQuery} inputRef={searchRef} />
      <div className="flex items-center gap-1">
        <FilterMenu filter={filter} onFilter={onFilter} />
        {sort && <SortMenu sort={sort} />}
        <IconButton
          label={layout === 'grid' ? t.view.list : t.view.grid}
          onClick={() => useView.setState({ layout: layout === 'grid' ? 'list' : 'grid' })}
        >
          <Layout aria-hidden className="size-4.5" />
        </IconButton>
        <ViewMenu onHelp={onHelp} />
      </div>
    </div>
  )
}

function FilterMenu({ filter, onFilter }: Pick<ToolbarProps, 'filter' | 'onFilter'>) {
  const filters = filterCount(filter)
  return (
    <Menu
      triggerClass={buttonClass(filters > 0 ? 'secondary' : 'ghost', filters > 0 ? 'border-accent text-accent' : '')}
      trigger={
        <>
          <ListFilter aria-hidden className="size-4" />
          {t.view.filters(filters)}
        </>
      }
    >
      <Heading>{t.view.kind}</Heading>
      <MenuChoice
        label={t.view.kind}
        value={filter.kind ?? 'all'}
        options={(Object.keys(t.view.kinds) as (keyof typeof t.view.kinds)[]).map((value) => ({
          value,
          title: t.view.kinds[value],
        }))}
        onChange={(kind) => onFilter({ ...filter, kind: kind === 'all' ? undefined : kind })}
      />
      <MenuSeparator />
      <Heading>{t.view.sharing}</Heading>
      <YesNo
        label={t.view.sharing}
        words={t.view.sharings}
        value={filter.shared}
        onChange={(shared) => onFilter({ ...filter, shared })}
      />
      <MenuSeparator />
      <Heading>{t.view.encryption}</Heading>
      <YesNo
        label={t.view.encryption}
        words={t.view.encryptions}
        value={filter.encrypted}
        onChange={(encrypted) => onFilter({ ...filter, encrypted })}
      />
      {filters > 0 && (
        <>
          <MenuSeparator />
          <MenuItem icon={<X aria-hidden className="size-4" />} onSelect={() => onFilter({})}>
            {t.view.clearFilter}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function SortMenu({ sort }: { sort: Sort }) {
  return (
    <Menu
      triggerClass={buttonClass('ghost')}
      trigger={
        <>
          <ArrowDownUp aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{sort.key ? t.view.sorts[sort.key] : t.view.sorts.newest}</span>
        </>
      }
    >
      <Heading>{t.view.sort}</Heading>
      <MenuChoice
        label={t.view.sort}
        value={sort.key ?? 'newest'}
        options={(['newest', 'name', 'size', 'date'] as const).map((value) => ({
          value,
          title: t.view.sorts[value],
        }))}
        onChange={(key) => sort.onSort(key === 'newest' ? undefined : key)}
      />
      {sort.key && (
        <>
          <MenuSeparator />
          <MenuChoice
            label={t.view.sort}
            value={sort.descending ? 'desc' : 'asc'}
            options={[
              { value: 'asc', title: t.view.ascending },
              { value: 'desc', title: t.view.descending },
            ]}
            onChange={(direction) => sort.onSort(sort.key, direction === 'desc')}
          />
        </>
      )}
    </Menu>
  )
}

/** View options, stored in this browser. */
function ViewMenu({ onHelp }: Pick<ToolbarProps, 'onHelp'>) {
  const { paging, previews } = useView()
  return (
    <Menu
      label={t.view.view}
      triggerClass={iconButtonClass()}
      trigger={<SlidersHorizontal aria-hidden className="size-4.5" />}
    >
      <Heading>{t.view.paging}</Heading>
      <MenuChoice
        label={t.view.paging}
        value={paging}
        options={[
          { value: 'pages', title: t.view.pages },
          { value: 'scroll', title: t.view.scroll },
        ]}
        onChange={(next) => useView.setState({ paging: next })}
      />
      <MenuSeparator />
      <Heading>{t.view.previews}</Heading>
      <MenuChoice
        label={t.view.previews}
        value={previews ? 'on' : 'off'}
        options={[
          { value: 'on', title: t.view.previewsOn },
          { value: 'off', title: t.view.previewsOff },
        ]}
        onChange={(next) => useView.setState({ previews: next === 'on' })}
      />
      <p className="max-w-60 px-3 pb-2 text-xs text-muted">{t.view.previewsNote}</p>
      <MenuSeparator />
      <MenuItem icon={<Keyboard aria-hidden className="size-4" />} onSelect={onHelp}>
        {t.view.help}
      </MenuItem>
    </Menu>
  )
}

const Heading = ({ children }: { children: string }) => (
  <p className="px-3 pt-2 pb-1 text-xs font-medium text-muted">{children}</p>
)

function YesNo({
  label,
  words,
  value,
  onChange,
}: {
  label: string
  words: { all: string; yes: string; no: string }
  value: boolean | undefined
  onChange: (value: boolean | undefined) => void
}) {
  return (
    <MenuChoice
      label={label}
      value={value === undefined ? 'all' : value ? 'yes' : 'no'}
      options={(['all', 'yes', 'no'] as const).map((option) => ({ value: option, title: words[option] }))}
      onChange={(next) => onChange(next === 'all' ? undefined : next === 'yes')}
    />
  )
}

/** Short, because matches from loaded lists are shown at once. */
const DEBOUNCE_MS = 50

/** Searches while the user types. */
function SearchField({
  query,
  onQuery,
  inputRef,
}: {
  query: string
  onQuery: (query: string) => void
  inputRef: RefObject<HTMLInputElement | null>
}) {
  const [text, setText] = useState(query)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(query)
  // The address was changed elsewhere: back button, link, or clear button of the results.
  useEffect(() => {
    if (query !== sent.current) setText(query)
    sent.current = query
  }, [query])
  const change = (next: string, ms = DEBOUNCE_MS) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      sent.current = next.trim()
      onQuery(next.trim())
    }, ms)
  }
  return (
    <div className="relative min-w-52 flex-1 sm:max-w-md">
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted" />
      <input
        ref={inputRef}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={t.view.search}
        placeholder={t.view.search}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') change(text, 0)
          if (event.key === 'Escape' && text !== '') {
            event.preventDefault()
            change('', 0)
          }
        }}
        className={classes(inputClass, 'pr-10 pl-9 [&::-webkit-search-cancel-button]:hidden')}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t.view.clearSearch}
          className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-lg text-muted hover:text-text"
          onClick={() => {
            change('', 0)
            inputRef.current?.focus()
          }}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}
