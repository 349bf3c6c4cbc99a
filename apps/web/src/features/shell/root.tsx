import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useSession } from '../../lib/session-store.ts'
import { Toasts } from '../../ui/toasts.tsx'
import { mayHaveLeft, openSupport, readVisitor, useSupport, VISITOR_KEY } from '../feedback/support.ts'
import { useTransfersStarted } from '../transfers/transfers-started.ts'

/** Running transfers are shown on every page; their code is loaded with the first one. */
const Transfers = lazy(async () => ({ default: (await import('../transfers/transfers.tsx')).Transfers }))
const SupportPanel = lazy(async () => ({ default: (await import('../chat/support-panel.tsx')).SupportPanel }))
const AdoptDialog = lazy(async () => ({ default: (await import('../adoption/adopt-dialog.tsx')).AdoptDialog }))

/** Mails about answers link here. */
const isLinked = !import.meta.env.SSR && new URLSearchParams(location.search).has('chat')

/** The chat is not needed for the first view of a page. */
const CHAT_DELAY_MS = 1000

/** Follows the support chat of accounts, and of visitors who have written: others have nothing to follow. */
function useChatOfCaller(): void {
  const account = useSession((session) => session.address)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      if (!account && !readVisitor()) return
      // Offline, the panel loads it when it is opened.
      timer ??= setTimeout(
        () =>
          void import('../chat/connection.ts').then(
            ({ startChat }) => startChat(),
            () => {},
          ),
        CHAT_DELAY_MS,
      )
    }
    // A visitor wrote in another tab.
    const onStorage = ({ key }: StorageEvent) => key === VISITOR_KEY && follow()
    window.addEventListener('storage', onStorage)
    follow()
    return () => {
      window.removeEventListener('storage', onStorage)
      clearTimeout(timer)
    }
  }, [account])
}

/** Offers an account what was left on this device before it signed in. */
function useAdoption(): void {
  const account = useSession((session) => session.address)
  useEffect(() => {
    if (account && mayHaveLeft())
      void import('../adoption/found.ts').then(
        ({ findLeft }) => findLeft(),
        () => {},
      )
  }, [account])
}

export function Root() {
  useChatOfCaller()
  useAdoption()
  useEffect(() => {
    if (isLinked) openSupport('support')
  }, [])
  const transfers = useTransfersStarted((state) => state.started)
  const support = useSupport((state) => state.topic !== undefined)
  const adoptable = useSupport((state) => state.adoptable > 0)
  return (
    <>
      <Outlet />
      {transfers && (
        <Suspense>
          <Transfers />
        </Suspense>
      )}
      {support && (
        <Suspense>
          <SupportPanel />
        </Suspense>
      )}
      {adoptable && (
        <Suspense>
          <AdoptDialog />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}
