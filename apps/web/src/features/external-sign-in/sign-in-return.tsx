import { useEffect, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { Loading, Notice } from '../../ui/states.tsx'
import { startSecondFactor } from '../security/pending-sign-in.ts'
import { consumeSignInResult } from './result.ts'
import { t } from './texts.ts'

/** Completes an external sign-in after the redirect back, or shows why it failed. */
export function SignInReturn() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const returned = consumeSignInResult()
    if (!returned) return
    if ('failure' in returned) {
      setProblem(t.failures[returned.failure])
      return
    }
    setBusy(true)
    api('identities.finish', { code: returned.handover }, { token: '' })
      .then(({ token }) => openSession(token))
      .catch((error: unknown) => {
        if (!startSecondFactor(error)) setProblem(messageOf(error))
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
