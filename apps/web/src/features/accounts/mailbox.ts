import { useQuery } from '../../lib/queries.ts'

const MAILBOX = '/dev/mailbox'

/** The address of the development mailbox, which shows mails instead of sending them; `undefined` if mails are sent. */
export function useMailbox(): string | undefined {
  const { data } = useQuery({
    queryKey: ['mailbox'],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) => {
      // Without a development mailbox, the server answers with the portal's HTML.
      const response = await fetch(`${MAILBOX}.json?to=nobody@localhost`, { signal })
      return response.ok && (response.headers.get('content-type') ?? '').includes('json')
    },
  })
  return data ? MAILBOX : undefined
}
