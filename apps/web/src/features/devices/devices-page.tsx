import { Link, useSearch } from '@tanstack/react-router'
import type { Output, OwnedDevice, RouteOf } from '@tidenet/contract'
import { PAGE_SIZE_MAX } from '@tidenet/contract/constants'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { PageTitle } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { CodeCard } from './code-card.tsx'
import { DeviceRow } from './device-row.tsx'
import { Disputes } from './disputes.tsx'
import { Earnings } from './earnings.tsx'
import { Figures } from './figures.tsx'
import { formatSpan } from './format.ts'
import { NoDevices } from './no-devices.tsx'
import { StatementPanel } from './statement-panel.tsx'
import { t } from './texts.ts'
import { UnlinkDialog } from './unlink-dialog.tsx'
import { useCode } from './use-code.ts'

const REFRESH_MS = 15_000

/** The nodes of an account, and owner codes to link more. */
export function DevicesPage() {
  const title = usePageTitle()
  const [page, setPage] = useState(1)
  const size = usePreferences(({ rows }) => rows)
  const devices = useQuery({ ...query('devices.list', { page, size }), ...paged, refetchInterval: REFRESH_MS })
  const info = useQuery(query('accounts.info', {}))
  const releases = useQuery(query('releases.list', {}))
  const newest = releases.data?.list.find(({ kind }) => kind === 'node')?.version
  const { made, arrived, busy, make, dismiss } = useCode()
  const [unlinking, setUnlinking] = useState<OwnedDevice>()
  const { data } = devices
  // The last device of a page may have been unlinked.
  if (data && page > 1 && data.list.length === 0) setPage(1)
  // After the code is dismissed, the focus returns to the button.
  const returnsFocus = useRef(false)
  const done = () => {
    returnsFocus.current = true
    dismiss()
  }
  const link = (
    <Button
      ref={(button) => {
        if (button && returnsFocus.current) button.focus()
        returnsFocus.current = false
      }}
      look="primary"
      icon={<Plus aria-hidden className="size-4" />}
      busy={busy}
      onClick={() => void make()}
    >
      {t.link}
    </Button>
  )
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} intro={t.intro} actions={!made && data && data.total > 0 && link} />
      {made && <CodeCard made={made} arrived={arrived} onDone={done} />}
      {devices.isError && !data ? (
        <LoadFailed title={t.failed} error={devices.error} onRetry={() => void devices.refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.total === 0 ? (
        !made && (
          <>
            <NoDevices action={link} />
            {info.data?.user_email === '' && (
              <div className="mt-4">
                <NoEmail />
              </div>
            )}
          </>
        )
      ) : (
        <>
          <Figures counted={data} />
          <h2 className="sr-only">{t.list.title}</h2>
          <Card className={classes('mt-6', devices.isPlaceholderData && 'opacity-60')}>
            <ul>
              {data.list.map((device) => (
                <DeviceRow
                  key={device.node_id}
                  device={device}
                  newest={newest}
                  mails={info.data?.user_email !== ''}
                  onUnlink={() => setUnlinking(device)}
                />
              ))}
            </ul>
          </Card>
          {(data.total > size || page > 1) && (
            <div className="mt-3">
              <Pager page={page} total={data.total} onPage={setPage} />
            </div>
          )}
        </>
      )}
      {data && <EarningParts devices={data.list} mails={Boolean(info.data?.user_email)} />}
      {data && data.total > 0 && <Notes devices={data} email={info.data?.user_email} />}
      {unlinking && <UnlinkDialog device={unlinking} onClose={() => setUnlinking(undefined)} onDone={dismiss} />}
    </div>
  )
}

/** Earnings, disputes, and the statement that is open. Former owners see those of the time when a device was theirs. */
function EarningParts({ devices, mails }: { devices: readonly OwnedDevice[]; mails: boolean }) {
  const search = useSearch({ from: '/console/devices' })
  const disputes = useQuery(query('earnings.disputes', { page: 1, size: PAGE_SIZE_MAX })).data?.list ?? []
  const names = new Map(devices.map(({ node_id, name }) => [node_id, name]))
  return (
    <>
      <Earnings mails={mails} />
      <Disputes list={disputes} names={names} />
      {search.statement && <StatementPanel node={search.statement} day={search.day} disputes={disputes} />}
    </>
  )
}

/** Explains the states in the list, and when mails are sent. */
function Notes({ devices, email }: { devices: Output<RouteOf<'devices.list'>>; email: string | undefined }) {
  const n = t.notes
  return (
    <section aria-label={n.title} className="mt-8 flex max-w-3xl flex-col gap-2 text-sm text-muted">
      {email === '' ? <NoEmail /> : <p>{n.mails(formatSpan(devices.offline_after), formatSpan(devices.mail_after))}</p>}
      {devices.list.some(({ vetting }) => vetting !== null) && <p>{n.vetting}</p>}
      {devices.abnormal > 0 && <p>{n.abnormal}</p>}
      {devices.list.some(({ draining }) => draining) && <p>{n.draining}</p>}
      {devices.list.some(({ status, reachable }) => status !== 'offline' && !reachable) && <p>{n.unreachable}</p>}
    </section>
  )
}

const NoEmail = () => (
  <Notice tone="warn">
    {t.notes.noEmail}{' '}
    <Link to="/myAccount" className="underline">
      {t.notes.account}
    </Link>
  </Notice>
)
