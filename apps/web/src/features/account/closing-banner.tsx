import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { refresh } from '../../lib/queries.ts'
import { storeSession } from '../../lib/session.ts'
import { currentToken, useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './closing-texts.ts'

/** Keeps an account that is scheduled for deletion. */
export function useKeepAccount(): { keep: () => Promise<void>; busy: boolean } {
  const [busy, setBusy] = useState(false)
  const keep = async () => {
    setBusy(true)
    try {
      await api('closing.cancel', {})
      const { userinfo } = useSession.getState()
      if (userinfo) useSession.setState({ userinfo: { ...userinfo, closing_at: '' } })
      refresh('closing.state')
      toast.success(t.kept)
    } catch (error) {
      toast.error(error)
      // It may have been kept in another tab.
      await storeSession(currentToken()).catch(() => {})
    }
    setBusy(false)
  }
  return { keep, busy }
}

/** On every page of the console. */
export function ClosingBanner({ at }: { at: string }) {
  const { keep, busy } = useKeepAccount()
  return (
    <div className="mx-auto mb-6 max-w-6xl">
      <Notice tone="warn">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-72">
            <strong className="block font-semibold">{t.scheduled(formatDateTime(at))}</strong>
            {t.scheduledText}{' '}
            <Link to="/closeAccount" className="underline">
              {t.details}
            </Link>
          </p>
          <Button busy={busy} onClick={() => void keep()}>
            {t.keep}
          </Button>
        </div>
      </Notice>
    </div>
  )
}
