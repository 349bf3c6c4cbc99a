import type { Output, RouteOf } from '@tidenet/contract'
import { useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { useServices } from '../products/use-services.ts'
import { speechQuery } from './speech-api.ts'

export type SpeechAccount = Output<RouteOf<'speech.account'>>

export interface Speech {
  signedIn: boolean
  /** Undefined until the server has answered. */
  engine: SpeechAccount['engine'] | undefined
  /** Who transcribes, as the operator names it; visitors do not learn it. */
  engineName: string
  account: SpeechAccount | undefined
  accountError: unknown
  retry: () => void
}

/** The speech engine and the account's uses. */
export function useSpeech(): Speech {
  const signedIn = useSession((session) => session.token !== '')
  const account = useQuery({
    ...speechQuery('speech.account', {}),
    enabled: signedIn,
    refetchInterval: 60_000,
  })
  const { data: services } = useServices()
  return {
    signedIn,
    engine: account.data?.engine ?? services?.speech,
    engineName: account.data?.engine_name ?? '',
    account: signedIn ? account.data : undefined,
    accountError: account.error,
    retry: () => void account.refetch(),
  }
}
