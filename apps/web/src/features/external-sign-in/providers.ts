import { query, useQuery } from '../../lib/queries.ts'
import { lang } from '../../lib/texts.ts'

export interface SignInProvider {
  id: string
  name: string
}

/** External sign-in services, with their names in the page's language; undefined while loading. */
export function useProviders(): readonly SignInProvider[] | undefined {
  const { data } = useQuery({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  return data?.sign_in_providers.map(({ id, name }) => ({ id, name: name[lang] }))
}
