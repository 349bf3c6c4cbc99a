import { Link } from '@tanstack/react-router'
import type { Obligation, Output, RouteOf } from '@tidenet/contract'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useRecentAuth } from '../recent-auth/recent-auth.tsx'
import { useKeepAccount } from './closing-banner.tsx'
import { t } from './closing-texts.ts'

type State = Output<RouteOf<'closing.state'>>

/** What is deleted when, what stays and why, and the request to delete the account. */
export function CloseAccountPage() {
  const title = usePageTitle()
  const state = useQuery(query('closing.state', {}))
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} intro={t.intro} />
      {state.isPending ? (
        <Loading />
      ) : state.isError ? (
        <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="grid gap-6">
            <Facts title={t.at} facts={t.atOnce} />
            <Facts
              title={t.after}
              facts={[
                t.deleted(t.files(state.data.files), t.folders(state.data.folders), formatSize(state.data.bytes)),
                ...t.deletedMore,
                ...(state.data.devices > 0 ? [t.devices(state.data.devices)] : []),
              ]}
            />
          </div>
          <Facts title={t.stays} facts={t.staying} />
          <Card className="p-6 lg:col-span-2">
            {state.data.closing_at ? <Scheduled at={state.data.closing_at} /> : <Request state={state.data} />}
          </Card>
        </div>
      )}
    </div>
  )
}

function Facts({ title, facts }: { title: string; facts: readonly string[] }) {
  return (
    <Card className="p-6">
      <h2 className="mb-3 text-lg font-semibold">{title}</h2>
      <ul className="list-disc space-y-2 pl-5">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Card>
  )
}

function Scheduled({ at }: { at: string }) {
  const { keep, busy } = useKeepAccount()
  return (
    <div className="flex flex-col items-start gap-3">
      <h2 className="text-lg font-semibold">{t.scheduled(formatDateTime(at))}</h2>
      <p>{t.scheduledText}</p>
      <Button look="primary" busy={busy} onClick={() => void keep()}>
        {t.keep}
      </Button>
    </div>
  )
}

function Request({ state }: { state: State }) {
  const form = useRef<HTMLFormElement>(null)
  const { withRecentAuth, dialog } = useRecentAuth()
  const [typed, setTyped] = useState('')
  const [gives, setGives] = useState(false)
  const [problems, setProblems] = useState<{ typed?: string | undefined; gives?: string | undefined }>({})
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const points = formatNumber(state.points)
  // Workspaces delay the deletion and do not prevent it.
  const blocking = state.obligations.filter(({ kind }) => kind !== 'workspaces')
  const waiting = state.obligations.filter(({ kind }) => kind === 'workspaces')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    const found = {
      typed: typed.trim().toLowerCase() === state.confirm ? undefined : t.wrong,
      gives: state.points > 0 && !gives ? t.agree : undefined,
    }
    if (found.typed || found.gives) return focusFirstError(form.current, () => setProblems(found))
    setBusy(true)
    try {
      const done = await withRecentAuth(() => api('closing.start', { confirm: typed, give_up_points: gives }))
      if (done) {
        const { userinfo } = useSession.getState()
        if (userinfo) useSession.setState({ userinfo: { ...userinfo, closing_at: done.closing_at } })
        refresh('closing.state')
        toast.success(t.started)
      }
    } catch (error) {
      setRefusal(messageOf(error))
      refresh('closing.state')
    }
    setBusy(false)
  }
  if (blocking.length > 0)
    return (
      <Blocked kinds={blocking.map(({ kind }) => kind)}>
        {blocking.map(({ kind, count }) => (
          <li key={kind}>{t.obligations[kind](count)}</li>
        ))}
      </Blocked>
    )
  return (
    <form
      ref={form}
      method="post"
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <p>
        {t.exportFirst}{' '}
        <Link to="/fileStorage" className="text-accent underline">
          {t.toFiles}
        </Link>
      </p>
      {waiting.map(({ kind, count }) => (
        <p key={kind}>{t.obligations[kind](count)}</p>
      ))}
      {state.points > 0 && (
        <div className="flex flex-col gap-2">
          <p>
            {t.points(points)}{' '}
            <Link to="/testCoin" className="text-accent underline">
              {t.toPoints}
            </Link>
          </p>
          <Checkbox
            checked={gives}
            error={problems.gives}
            onChange={(next) => {
              setGives(next)
              setProblems((known) => ({ ...known, gives: undefined }))
            }}
          >
            {t.givePoints(points)}
          </Checkbox>
        </div>
      )}
      <Field label={t.typeTo(state.confirm)} error={problems.typed}>
        <TextInput
          name="confirm"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblems((known) => ({ ...known, typed: undefined }))
          }}
        />
      </Field>
      {refusal && (
        <Notice tone="bad" live>
          {refusal}
        </Notice>
      )}
      <Button look="danger" type="submit" busy={busy} className="min-h-10 self-start">
        {t.go}
      </Button>
      {dialog}
    </form>
  )
}

function Blocked({ kinds, children }: { kinds: readonly Obligation[]; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <p>{t.blocked}</p>
      <ul className="list-disc space-y-2 pl-5">{children}</ul>
      <p className="flex flex-wrap gap-3">
        {kinds.includes('teams') && (
          <Link to="/teams" className={buttonClass()}>
            {t.toTeams}
          </Link>
        )}
        {kinds.some((kind) => kind !== 'teams') && (
          <Link to="/mycenter" className={buttonClass()}>
            {t.toOrders}
          </Link>
        )}
      </p>
    </div>
  )
}
