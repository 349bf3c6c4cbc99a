import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { call } from './session.ts'
import { t } from './texts.ts'

/** Continues to the address of a program, from which a visitor without a pass was sent here. */
export function OpenPage() {
  usePageTitle(t.addresses.open)
  const { host = '', path = '/' } = useSearch({ from: '/workspaces/console/open' })
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const aborted = new AbortController()
    call('clusters.open', { host, path }, { signal: aborted.signal }).then(
      ({ url }) => window.location.replace(url),
      (failure: unknown) => aborted.signal.aborted || setError(failure),
    )
    return () => aborted.abort()
  }, [host, path, attempt])
  if (error === undefined) return <Loading />
  const retry = () => {
    setError(undefined)
    setAttempt((count) => count + 1)
  }
  return <LoadFailed title={t.addresses.notOpened} error={error} onRetry={retry} />
}
