import { useQuery } from '../../lib/queries.ts'

const MAILBOX = '/dev/mailbox'

/** The page that shows mails on a network that sends none; `undefined` where mails are sent. */
export function useMailbox(): string | undefined {
  const { data } = useQuery({
    queryKey: ['mailbox'],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) => {
      // Elsewhere this address is the portal's own page.
      const answer = await fetch(`${MAILBOX}.json?to=nobody@localhost`, { signal })
      return answer.ok && (answer.headers.get('content-type') ?? '').includes('json')
    },
  })
  return data ? MAILBOX : undefined
}
