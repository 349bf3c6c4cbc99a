import { Search, SearchX } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { useAdminSearch, useSetSearch } from './search.ts'
import { t } from './texts.ts'

const control = 'min-h-9 w-full min-w-0 rounded-lg border border-control/60 bg-surface px-2.5 text-sm'

/** The filters of a list. */
export function Filters({ children, names }: { children: ReactNode; names: readonly string[] }) {
  const search = useAdminSearch()
  const set = useSetSearch()
  const used = names.some((name) => search[name])
  return (
    <div className="mb-4 grid grid-cols-2 gap-x-3 gap-y-3 sm:flex sm:flex-wrap sm:items-end">
      {children}
      {used && (
        <Button
          look="ghost"
          className="self-end max-sm:col-span-2"
          onClick={() => set(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          {t.clear}
        </Button>
      )}
    </div>
  )
}

/** A select box whose value is a query parameter. */
export function SelectFilter({
  name,
  label,
  options,
  none = t.all,
}: {
  name: string
  label: string
  options: readonly (readonly [value: string, title: string])[]
  none?: string
}) {
  const id = useId()
  const value = useAdminSearch()[name] ?? ''
  const set = useSetSearch()
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        value={options.some(([key]) => key === value) ? value : ''}
        onChange={(event) => set({ [name]: event.target.value })}
        className={control}
      >
        <option value="">{none}</option>
        {options.map(([key, title]) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </span>
  )
}

/** A search field whose value becomes a query parameter on submit. */
export function TextFilter({ name, label, hint }: { name: string; label: string; hint?: string }) {
  const id = useId()
  const value = useAdminSearch()[name] ?? ''
  const set = useSetSearch()
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const send = (event: FormEvent) => {
    event.preventDefault()
    set({ [name]: typed.trim() })
  }
  return (
    <form onSubmit={send} className="col-span-2 flex min-w-0 flex-col gap-1 sm:w-72">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <span className="flex gap-1.5">
        <input
          id={id}
          type="search"
          value={typed}
          maxLength={254}
          placeholder={hint}
          onChange={(event) => setTyped(event.target.value)}
          className={control}
        />
        <button
          type="submit"
          aria-label={`${t.search}: ${label}`}
          title={t.search}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg border border-control/60 text-muted hover:bg-sunken hover:text-text"
        >
          <Search aria-hidden className="size-4" />
        </button>
      </span>
    </form>
  )
}

/** A date whose value is a query parameter: `2026-01-31`. */
export function DateFilter({ name, label }: { name: string; label: string }) {
  const id = useId()
  const value = useAdminSearch()[name] ?? ''
  const set = useSetSearch()
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        onChange={(event) => set({ [name]: event.target.value })}
        className={control}
      />
    </span>
  )
}

interface ListState<R> {
  isPending: boolean
  isError: boolean
  isPlaceholderData: boolean
  error: unknown
  data: { list: R[]; next: string | null } | undefined
  refetch: () => unknown
}

export interface Column<R> {
  title: string
  /** Class of the cells and the header: visibility and alignment. */
  className?: string
  cell: (row: R) => ReactNode
}

/** A page of a list: a table with rows that open, and a link to the next page. */
export function List<R>({
  state,
  columns,
  keyOf,
  nameOf,
  onOpen,
  empty,
}: {
  state: ListState<R>
  columns: readonly Column<R>[]
  keyOf: (row: R) => string
  /** Accessible name of the row, for the button that opens it. */
  nameOf: (row: R) => string
  onOpen?: (row: R) => void
  empty?: ReactNode
}) {
  const search = useAdminSearch()
  const set = useSetSearch()
  const { data } = state
  return (
    <>
      <Card className="overflow-hidden">
        {state.isPending ? (
          <Loading />
        ) : state.isError ? (
          <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
        ) : !data || data.list.length === 0 ? (
          (empty ?? (
            <Empty icon={<SearchX aria-hidden className="size-6" />} title={t.none}>
              {t.noneText}
            </Empty>
          ))
        ) : (
          <table className={classes('w-full text-left text-sm', state.isPlaceholderData && 'opacity-60')}>
            <thead>
              <tr className="border-b border-line text-muted">
                {columns.map(({ title, className }) => (
                  <th
                    key={title}
                    scope="col"
                    className={classes('px-3 py-3 font-medium first:pl-5 last:pr-5', className)}
                  >
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.list.map((row) => (
                <tr
                  key={keyOf(row)}
                  className={classes(
                    'border-b border-line align-top last:border-b-0',
                    onOpen && 'relative hover:bg-sunken/60 has-focus-visible:bg-sunken/60',
                  )}
                >
                  {columns.map(({ title, className, cell }, index) => (
                    <td key={title} className={classes('px-3 py-3 first:pl-5 last:pr-5', className)}>
                      {cell(row)}
                      {index === 0 && onOpen && (
                        // Covers the whole row, so that a click anywhere opens it.
                        <button
                          type="button"
                          aria-label={t.details(nameOf(row))}
                          onClick={() => onOpen(row)}
                          className="absolute inset-0"
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {data && (data.next !== null || search.after) && (
        <div className="mt-3 flex flex-wrap items-center justify-end gap-3">
          <span role="status" className="text-sm text-muted tabular-nums">
            {t.shown(data.list.length)}
          </span>
          {search.after && <Button onClick={() => set({ after: undefined })}>{t.first}</Button>}
          <Button disabled={data.next === null} onClick={() => set({ after: data.next ?? undefined })}>
            {t.next}
          </Button>
        </div>
      )}
    </>
  )
}

/** Names and values, in two columns on wide screens. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
