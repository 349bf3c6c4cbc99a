import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { classes } from '../../ui/classes.ts'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

type Overview = Output<RouteOf<'admin.overview'>>

const REFRESH_MS = 15_000
/** Receipts are appended every second. */
const RECEIPTS_LATE_MS = 120_000

/** System overview; each figure links to the list that it counts. */
export function OverviewView() {
  const state = useQuery({ ...query('admin.overview', {}), refetchInterval: REFRESH_MS })
  if (state.isPending) return <Loading />
  if (state.isError) return <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
  const { users, nodes, contents, leads, mails, audit_24h, database, jobs, log, measured_at } = state.data
  const o = t.overview
  const late = log.oldest !== null && Date.parse(measured_at) - Date.parse(log.oldest) > RECEIPTS_LATE_MS
  return (
    <>
      {(log.behind || late) && (
        <div className="mb-4">
          <Notice tone="bad">
            {log.behind ? o.logBehind : o.logLate(log.waiting, formatDateTime(log.oldest ?? measured_at))}
          </Notice>
        </div>
      )}
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        <Figure
          title={o.leads}
          value={formatNumber(leads.open)}
          more={o.leadsMore(leads.new_7d)}
          to={{ view: 'leads', state: 'open' }}
        />
        <Figure
          title={o.nodes}
          value={formatNumber(nodes.online)}
          more={o.nodesMore(nodes.total, nodes.out)}
          to={{ view: 'nodes' }}
          bad={nodes.total > 0 && nodes.online < nodes.total}
        />
        <Figure
          title={o.contents}
          value={formatNumber(contents.short)}
          more={o.contentsMore(contents.total, contents.nowhere)}
          bad={contents.nowhere > 0}
        />
        <Figure
          title={o.mails}
          value={formatNumber(mails.waiting)}
          more={o.mailsMore(mails.failing, mails.refused_7d)}
          to={{ view: 'mails' }}
          bad={mails.failing + mails.refused_7d > 0}
        />
        <Figure
          title={o.users}
          value={formatNumber(users.total)}
          more={o.usersMore(users.new_7d, users.vip)}
          to={{ view: 'users' }}
        />
        <Figure
          title={o.locked}
          value={formatNumber(users.locked)}
          more={o.lockedMore(users.operators)}
          to={{ view: 'users', locked: 'true' }}
        />
        <Figure title={o.changes} value={formatNumber(audit_24h)} more={o.changesMore} to={{ view: 'audit' }} />
        <Figure title={o.bytes} value={formatSize(contents.bytes)} more={o.bytesMore} />
      </ul>
      <h2 className="mt-8 mb-3 text-lg font-semibold">{o.jobs}</h2>
      <Card className="overflow-hidden">
        {jobs.length === 0 ? <p className="px-5 py-6 text-muted">{o.jobsNone}</p> : <Jobs jobs={jobs} />}
      </Card>
      <p className="mt-4 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm text-muted">
        <span>{o.database(database.version, formatSize(database.bytes))}</span>
        <span className="tabular-nums">{o.measured(formatDateTime(measured_at))}</span>
      </p>
    </>
  )
}

function Figure({
  title,
  value,
  more,
  to,
  bad = false,
}: {
  title: string
  value: string
  more: string
  to?: Record<string, string>
  bad?: boolean
}) {
  return (
    <li className="relative rounded-2xl border border-line bg-surface px-5 py-4 has-[a:hover]:border-control/60">
      <p className="text-sm text-muted">
        {to ? (
          <Link to="/admin" search={to as never} className="after:absolute after:inset-0 hover:text-text">
            {title}
          </Link>
        ) : (
          title
        )}
      </p>
      <p className={classes('mt-1 font-mono text-2xl tabular-nums', bad && 'text-warn')}>{value}</p>
      <p className="mt-1 text-sm text-muted">{more}</p>
    </li>
  )
}

function Jobs({ jobs }: { jobs: Overview['jobs'] }) {
  const o = t.overview
  return (
    <table className="w-full text-left text-sm">
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-3 pr-3 pl-5 font-medium">
            {o.job}
          </th>
          {[o.waiting, o.failing, o.dead].map((title) => (
            <th key={title} scope="col" className="px-3 py-3 text-right font-medium">
              {title}
            </th>
          ))}
          <th scope="col" className="px-3 py-3 font-medium max-sm:hidden">
            {o.oldest}
          </th>
          <th scope="col" className="py-3 pr-5 pl-3 font-medium max-lg:hidden">
            {o.error}
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.name} className="border-b border-line align-top last:border-b-0">
            <td className="py-3 pr-3 pl-5">{o.jobNames[job.name] ?? job.name}</td>
            <td className="px-3 py-3 text-right tabular-nums">{formatNumber(job.waiting)}</td>
            <td className={classes('px-3 py-3 text-right tabular-nums', job.failing > 0 && 'text-warn')}>
              {formatNumber(job.failing)}
            </td>
            <td className={classes('px-3 py-3 text-right tabular-nums', job.dead > 0 && 'text-danger')}>
              {formatNumber(job.dead)}
            </td>
            <td className="px-3 py-3 tabular-nums max-sm:hidden">{job.oldest ? formatDateTime(job.oldest) : '–'}</td>
            <td className="py-3 pr-5 pl-3 wrap-anywhere text-muted max-lg:hidden">{job.last_error || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
