import { Link } from '@tanstack/react-router'
import type { OptionalNotice, Output, RouteOf } from '@tidenet/contract'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { PageTitle } from '../../ui/page.tsx'
import { Badge, Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './notifications-texts.ts'
import { t as account } from './texts.ts'

type Choice = Output<RouteOf<'notifications.list'>>['list'][number]
type Channel = 'email' | 'portal'

/** Which notices the account gets by e-mail and in the portal. */
export function NotificationsPage() {
  const title = usePageTitle()
  const choices = useQuery(query('notifications.list', {}))
  const email = choices.data?.email ?? ''
  return (
    <div className="mx-auto max-w-4xl">
      <PageTitle title={title} {...(email !== '' && { intro: t.intro(email) })} />
      {choices.isPending ? (
        <Loading />
      ) : choices.isError ? (
        <LoadFailed title={t.failed} error={choices.error} onRetry={() => void choices.refetch()} />
      ) : (
        <>
          {email === '' && (
            <div className="mb-4">
              <Notice tone="warn">
                {t.noEmail}{' '}
                <Link to="/myAccount" className="underline">
                  {account.mail.add}
                </Link>
              </Notice>
            </div>
          )}
          <Card className="px-5 py-2 sm:px-6">
            <table className="w-full">
              <thead>
                <tr className="text-left text-sm text-muted">
                  <th scope="col" className="py-2 font-medium">
                    {t.columns.kind}
                  </th>
                  <th scope="col" className="w-20 py-2 text-center font-medium sm:w-32">
                    {t.columns.email}
                  </th>
                  <th scope="col" className="w-20 py-2 text-center font-medium sm:w-32">
                    {t.columns.portal}
                  </th>
                </tr>
              </thead>
              <tbody>
                {choices.data.list.map((choice) => (
                  <Row key={choice.kind} choice={choice} />
                ))}
              </tbody>
            </table>
          </Card>
        </>
      )}
    </div>
  )
}

function Row({ choice }: { choice: Choice }) {
  const { name, text } = t.kinds[choice.kind]
  return (
    <tr className="border-t border-line" data-testid={`notice-${choice.kind}`}>
      <th scope="row" className="py-3 pr-3 text-left font-normal">
        <span className="block font-medium">{name}</span>
        <span className="block text-sm text-muted">{text}</span>
      </th>
      <td className="py-3">
        <Cell choice={choice} channel="email" label={t.byEmail(name)} />
      </td>
      <td className="py-3">
        <Cell choice={choice} channel="portal" label={t.inPortal(name)} />
      </td>
    </tr>
  )
}

function Cell({ choice: { kind, fixed, ...on }, channel, label }: { choice: Choice; channel: Channel; label: string }) {
  const [pending, setPending] = useState<boolean>()
  const value = on[channel]
  const set = async (next: boolean) => {
    setPending(next)
    await api('notifications.set', { kind: kind as OptionalNotice, [channel]: next }).then(
      () => refresh('notifications.list', 'dashboard.overview', 'earnings.summary'),
      toast.error,
    )
    setPending(undefined)
  }
  return (
    <div className="flex justify-center text-center">
      {fixed ? (
        <Badge>{t.always}</Badge>
      ) : value === null ? (
        <span className="text-sm text-muted">{t.onItsPage}</span>
      ) : (
        <Switch
          label={label}
          checked={pending ?? value}
          busy={pending !== undefined}
          onChange={(next) => void set(next)}
        />
      )}
    </div>
  )
}
