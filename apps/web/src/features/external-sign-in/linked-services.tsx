import { useEffect, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { formatDate } from '../../lib/format.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useRecentAuth } from '../recent-auth/recent-auth.tsx'
import { type SignInProvider, useProviders } from './providers.ts'
import { consumeSignInResult } from './result.ts'
import { t } from './texts.ts'

/**
 * Links and unlinks external services that sign in to the account. Renders nothing if no service is configured.
 * Linking redirects the browser to the service, which sends it back to the page that contains this component.
 */
export function LinkedServices() {
  const providers = useProviders()
  // Load the list only after the result of a redirect is processed; an earlier response would be outdated.
  const [settled, setSettled] = useState(false)
  const list = useQuery({ ...query('identities.list', {}), enabled: settled })
  const [problem, setProblem] = useState<string>()
  const [linking, setLinking] = useState<string>()
  const [unlinking, setUnlinking] = useState<SignInProvider>()
  const { withRecentAuth, dialog } = useRecentAuth()
  const c = t.card

  useEffect(() => {
    const returned = consumeSignInResult()
    if (!returned || 'failure' in returned) {
      if (returned) setProblem(t.failures[returned.failure])
      setSettled(true)
      return
    }
    api('identities.add', { code: returned.handover })
      .then(({ msg }) => toast.success(msg))
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => {
        setSettled(true)
        refresh('identities.list')
      })
  }, [])

  const link = async (provider: string) => {
    setProblem(undefined)
    setLinking(provider)
    try {
      const redirect = location.pathname + location.search
      const started = await withRecentAuth(() => api('identities.link', { provider, redirect }))
      if (started) location.assign(started.url)
      else setLinking(undefined)
    } catch (error) {
      setProblem(messageOf(error))
      setLinking(undefined)
    }
  }

  const linked = list.data?.identities ?? []
  const unavailable = linked.filter(({ provider }) => !providers?.some(({ id }) => id === provider))
  const shown = [...(providers ?? []), ...unavailable.map(({ provider }) => ({ id: provider, name: provider }))]
  if (providers && list.data && shown.length === 0) return null
  return (
    <Card className="p-6">
      <h2 className="text-lg font-semibold">{c.title}</h2>
      <p className="mb-2 text-sm text-muted">{c.intro}</p>
      {problem && (
        <div className="mb-3">
          <Notice tone="bad" live>
            {problem}
          </Notice>
        </div>
      )}
      {list.isError ? (
        <LoadFailed title={c.failed} error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending || !providers ? (
        <Loading />
      ) : (
        shown.map((provider) => {
          const identity = linked.find((each) => each.provider === provider.id)
          return (
            <div
              key={provider.id}
              className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3.5 last:pb-0"
            >
              <div className="min-w-0 flex-1 basis-64">
                <h3 className="font-medium" translate="no">
                  {provider.name}
                </h3>
                <p className="text-sm wrap-anywhere text-muted">
                  {identity ? describe(identity) : c.notLinked}
                  {unavailable.some((each) => each.provider === provider.id) && ` ${c.gone}`}
                </p>
              </div>
              {identity ? (
                <Button aria-label={c.unlinkService(provider.name)} onClick={() => setUnlinking(provider)}>
                  {c.unlink}
                </Button>
              ) : (
                <Button
                  aria-label={c.linkService(provider.name)}
                  busy={linking === provider.id}
                  onClick={() => void link(provider.id)}
                >
                  {c.link}
                </Button>
              )}
            </div>
          )
        })
      )}
      {unlinking && <Unlink provider={unlinking} onClose={() => setUnlinking(undefined)} />}
      {dialog}
    </Card>
  )
}

interface Linked {
  name: string
  email: string
  created_at: string
  used_at: string
}

function describe({ name, email, created_at, used_at }: Linked): string {
  const who = email || name
  const since = who ? t.card.linkedAs(who, formatDate(created_at)) : t.card.linkedSince(formatDate(created_at))
  return [since, ...(used_at ? [t.card.lastUsed(formatDate(used_at))] : [])].join(' · ')
}

function Unlink({ provider, onClose }: { provider: SignInProvider; onClose: () => void }) {
  const { withRecentAuth, dialog } = useRecentAuth()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const c = t.card
  const unlink = async () => {
    setBusy(true)
    try {
      const done = await withRecentAuth(() => api('identities.remove', { provider: provider.id }))
      if (!done) return setBusy(false)
      refresh('identities.list')
      toast.success(done.msg)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={c.confirm.title(provider.name)}
      actions={
        <>
          <Button onClick={onClose}>{c.confirm.keep}</Button>
          <Button look="danger" busy={busy} onClick={() => void unlink()}>
            {c.unlink}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>{c.confirm.text(provider.name)}</p>
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
      </div>
      {dialog}
    </Dialog>
  )
}
