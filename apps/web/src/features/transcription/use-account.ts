import type { Output, RouteOf } from '@tidenet/contract'
import { useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { useStates } from '../products/use-services.ts'
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

/** The speech engine and the account's uses. Visitors only learn whether there is an engine. */
export function useSpeech(): Speech {
  const signedIn = useSession((session) => session.token !== '')
  const account = useQuery({
    ...speechQuery('speech.account', {}),
    enabled: signedIn,
    refetchInterval: 60_000,
  })
  const { state } = useStates()('whisper')
  const known = account.data?.engine
  return {
    signedIn,
    engine: known ?? (state === 'available' ? 'available' : state === 'unavailable' ? 'none' : undefined),
    engineName: account.data?.engine_name ?? '',
    account: signedIn ? account.data : undefined,
    accountError: account.error,
    retry: () => void account.refetch(),
  }
}
