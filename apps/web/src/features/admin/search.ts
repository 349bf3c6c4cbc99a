import { useNavigate, useSearch } from '@tanstack/react-router'

export const VIEWS = [
  'overview',
  'chats',
  'users',
  'nodes',
  'contents',
  'reports',
  'blocks',
  'published',
  'leads',
  'supports',
  'disputes',
  'orders',
  'exchange',
  'clusters',
  'thirdParties',
  'mails',
  'audit',
] as const
export type View = (typeof VIEWS)[number]

/** Query parameters of the operator area: view, filters, page cursor and open item. All strings. */
export type AdminSearch = Readonly<Record<string, string>>

/** Reads the query parameters, without nested values. The server validates the rest. */
export function useAdminSearch(): AdminSearch {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
      .map(([key, value]) => [key, String(value).slice(0, 400)]),
  )
}

export const viewOf = (search: AdminSearch): View => VIEWS.find((view) => view === search.view) ?? 'overview'

/** The value if it is one of these. */
export const choiceOf = <T extends string>(value: string | undefined, values: readonly T[]): T | undefined =>
  values.find((each) => each === value)

export const booleanOf = (value: string | undefined): boolean | undefined =>
  value === 'true' ? true : value === 'false' ? false : undefined

/** Changes query parameters. Empty ones are removed; changing a filter returns to the first page. */
export function useSetSearch(): (patch: Record<string, string | undefined>, replace?: boolean) => void {
  const navigate = useNavigate()
  const search = useAdminSearch()
  return (patch, replace = false) => {
    const filters = Object.keys(patch).some((key) => key !== 'open' && key !== 'after')
    const merged: Record<string, string | undefined> = { ...search, ...(filters && { after: undefined }), ...patch }
    const next = Object.fromEntries(Object.entries(merged).filter(([, value]) => value))
    void navigate({ to: '/admin', search: next as never, replace, resetScroll: false })
  }
}
