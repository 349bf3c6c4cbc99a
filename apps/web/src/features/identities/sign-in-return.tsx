import { useEffect, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { Loading, Notice } from '../../ui/states.tsx'
import { noteOwed } from '../security/owed.ts'
import { takeReturned } from './returned.ts'
import { t } from './texts.ts'

/** Ends a sign-in at another service on the page that the browser came back to, or says why it did not work. */
export function SignInReturn() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const returned = takeReturned()
    if (!returned) return
    if ('failure' in returned) {
      setProblem(t.failures[returned.failure])
      return
    }
    setBusy(true)
    api('identities.finish', { code: returned.handover }, { token: '' })
      .then(({ token }) => openSession(token))
      .catch((error: unknown) => {
        if (!noteOwed(error)) setProblem(messageOf(error))
      })
      .finally(() => setBusy(false))
  }, [])
  if (busy) return <Loading label={t.finishing} />
  if (!problem) return null
  return (
    <div className="mb-5">
      <Notice tone="bad" live>
        {problem}
      </Notice>
    </div>
  )
}
