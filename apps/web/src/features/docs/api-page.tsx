import { FileJson } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useQuery } from '../../lib/queries.ts'
import { lang, t as shell } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { type Document, type Group, type Operation, operationsOf } from './description.ts'
import { OperationCard } from './operation-card.tsx'
import { t } from './texts.ts'

const SOURCE = '/api/openapi.json'

async function load(signal: AbortSignal): Promise<Operation[]> {
  const response = await fetch(SOURCE, { signal }).catch(() => {
    throw new ApiError('network', shell.errors.network)
  })
  if (!response.ok) throw new ApiError('server', shell.errors.server)
  const operations = operationsOf((await response.json()) as Document)
  if (lang === 'en') return operations
  const { summariesZh } = await import('./summaries-zh.ts')
  const summaries: Record<string, string | undefined> = summariesZh
  return operations.map((operation) => ({ ...operation, summary: summaries[operation.id] ?? operation.summary }))
}

/** API reference from the OpenAPI document: groups, search, and how to call each operation. */
export function ApiPage() {
  usePageTitle(t.title)
  const description = useQuery({ queryKey: ['openapi'], queryFn: ({ signal }) => load(signal), staleTime: 3_600_000 })
  const [search, setSearch] = useState('')
  const filter = useDeferredValue(search.trim().toLowerCase())
  const groups = useMemo(() => groupsOf(description.data ?? [], filter), [description.data, filter])
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 sm:py-10">
      <div className="flex flex-wrap items-start gap-4">
        <div className="mr-auto max-w-2xl">
          <h1 className="text-2xl font-semibold sm:text-3xl">{t.title}</h1>
          <p className="mt-2 text-muted">{t.intro}</p>
        </div>
        <a href={SOURCE} download="openapi.json" className={buttonClass()}>
          <FileJson aria-hidden className="size-4" />
          {t.raw}
        </a>
      </div>
      {import.meta.env.SSR ? (
        <Groups />
      ) : description.isPending ? (
        <Loading />
      ) : description.isError ? (
        <LoadFailed title={t.failed} error={description.error} onRetry={() => void description.refetch()} />
      ) : (
        <>
          <SearchInput
            label={t.search}
            placeholder={t.search}
            className="mt-6 max-w-xl"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <div className="mt-6 gap-10 lg:grid lg:grid-cols-[13rem_1fr]">
            <nav
              aria-label={t.title}
              className="sticky top-20 hidden max-h-[calc(100dvh-6rem)] self-start overflow-y-auto lg:block"
            >
              <ul className="flex flex-col gap-0.5 text-sm">
                {groups.map(([group, operations]) => (
                  <li key={group}>
                    <a
                      href={`#${group}`}
                      className="flex justify-between gap-2 rounded-lg px-3 py-1.5 text-muted hover:bg-sunken hover:text-text"
                    >
                      {t.groups[group]}
                      <span className="tabular-nums">{operations.length}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <div className="flex min-w-0 flex-col gap-8">
              <p role="status" className="sr-only">
                {t.operations(groups.reduce((sum, [, each]) => sum + each.length, 0))}
              </p>
              {groups.length === 0 && <p className="py-8 text-muted">{t.noMatch}</p>}
              {groups.map(([group, operations]) => (
                <section key={group} id={group} aria-labelledby={`${group}-title`} className="scroll-mt-20">
                  <h2 id={`${group}-title`} className="mb-3 text-lg font-semibold">
                    {t.groups[group]}
                  </h2>
                  <div className="flex flex-col gap-2">
                    {operations.map((operation) => (
                      <OperationCard key={operation.id} operation={operation} />
                    ))}
                  </div>
                </section>
              ))}
            </div>
          </div>
        </>
      )}
    </div>
  )
}

/** The groups, for the prerendered page. */
function Groups() {
  return (
    <ul aria-label={t.title} className="mt-6 grid min-h-dvh content-start gap-2 sm:grid-cols-2 lg:grid-cols-3">
      {Object.entries(t.groups).map(([group, title]) => (
        <li key={group} className="rounded-lg border border-line bg-surface px-4 py-2.5">
          {title}
        </li>
      ))}
    </ul>
  )
}

/** Operations that contain all search words, by group in the order of the document. */
function groupsOf(operations: readonly Operation[], filter: string): [Group, Operation[]][] {
  const words = filter.split(/\s+/)
  const groups = new Map<Group, Operation[]>()
  for (const operation of operations) {
    const { id, path, summary, group, method } = operation
    const text = `${id} ${method} ${path} ${summary} ${t.groups[group]}`.toLowerCase()
    if (words.every((word) => text.includes(word))) groups.set(group, [...(groups.get(group) ?? []), operation])
  }
  return [...groups]
}
