import { Link } from '@tanstack/react-router'
import type { AdminTrend, Output, RouteOf } from '@tidenet/contract'
import { formatDateTime, formatNumber, formatSize } from '../../lib/format.ts'
import { linkTo } from '../../lib/link.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { classes } from '../../ui/classes.ts'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { Problems } from './problems.tsx'
import { Sparkline } from './sparkline.tsx'
import { t } from './texts.ts'

type Overview = Output<RouteOf<'admin.overview'>>

const REFRESH_MS = 15_000
const TRENDS_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** System overview: problems first, then trends; each figure links to the list that it counts. */
export function OverviewView() {
  const state = useQuery({ ...query('admin.overview', {}), refetchInterval: REFRESH_MS })
  const trends = useQuery({ ...query('admin.trends', {}), refetchInterval: TRENDS_MS }).data?.list ?? []
  if (state.isPending) return <Loading />
  if (state.isError) return <LoadFailed title={t.failed} error={state.error} onRetry={() => void state.refetch()} />
  const { users, nodes, contents, leads, mails, audit_24h, database, jobs, log, problems, measured_at } = state.data
  const o = t.overview
  const yesterday = new Date(Date.parse(measured_at) - DAY_MS).toISOString().slice(0, 10)
  const of = (key: Exclude<keyof AdminTrend, 'at'>) => trends.map((trend) => trend[key])
  return (
    <>
      <Problems list={problems} />
      <h2 className="mb-3 text-lg font-semibold">{o.trends}</h2>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        <Figure
          title={o.nodes}
          value={nodes.online}
          to="/admin?view=nodes&status=online"
          more={[
            [o.nodesAll(nodes.total), '/admin?view=nodes'],
            [o.nodesOut(nodes.out), '/admin?view=nodes&out=true'],
          ]}
          trend={of('nodes_online')}
          bad={nodes.total > 0 && nodes.online < nodes.total}
        />
        <Figure
          title={o.contents}
          value={contents.short}
          to="/admin?view=contents"
          more={[
            [o.contentsNowhere(contents.nowhere), '/admin?view=contents&state=nowhere'],
            [o.contentsAll(contents.total), '/storagenetwork'],
          ]}
          trend={of('short')}
          bad={contents.nowhere > 0}
        />
        <Figure
          title={o.users}
          value={users.total}
          to="/admin?view=users"
          more={[
            [o.usersNew(users.new_7d), '/admin?view=users'],
            [o.usersVip(users.vip), '/admin?view=users&vip=true'],
          ]}
          trend={of('users')}
        />
        <Figure
          title={o.bytes}
          value={contents.bytes}
          format={formatSize}
          to="/storagenetwork"
          more={[[o.bytesMore]]}
          trend={of('bytes')}
        />
        {trends.length > 0 && (
          <Figure
            title={o.transferred}
            value={of('transferred').at(-1) ?? 0}
            format={formatSize}
            to="/storagenetwork"
            more={[[o.transferredMore]]}
            trend={of('transferred')}
          />
        )}
        <Figure
          title={o.mails}
          value={mails.waiting}
          to="/admin?view=mails&state=waiting"
          more={[[o.mailsRefused(mails.refused_7d), '/admin?view=mails&state=refused']]}
          bad={mails.failing + mails.refused_7d > 0}
        />
        <Figure
          title={o.leads}
          value={leads.open}
          to="/admin?view=leads&state=open"
          more={[[o.leadsNew(leads.new_7d), '/admin?view=leads']]}
        />
        <Figure
          title={o.locked}
          value={users.locked}
          to="/admin?view=users&locked=true"
          more={[[o.operators(users.operators), '/admin?view=users&role=operator']]}
        />
        <Figure
          title={o.changes}
          value={audit_24h}
          to={`/admin?view=audit&from=${yesterday}`}
          more={[[o.changesMore]]}
        />
      </ul>
      <h2 id="jobs" className="mt-8 mb-3 scroll-mt-20 text-lg font-semibold">
        {o.jobs}
      </h2>
      <Card className="overflow-hidden">
        {jobs.length === 0 ? <p className="px-5 py-6 text-muted">{o.jobsNone}</p> : <Jobs jobs={jobs} />}
      </Card>
      <h2 id="system" className="mt-8 mb-3 scroll-mt-20 text-lg font-semibold">
        {o.system}
      </h2>
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm text-muted">
        <span>{o.receipts(log.waiting, log.oldest ? formatDateTime(log.oldest) : '')}</span>
        <span>{o.database(database.version, formatSize(database.bytes))}</span>
        <span className="tabular-nums">{o.measured(formatDateTime(measured_at))}</span>
      </p>
    </>
  )
}

interface FigureProps {
  title: string
  value: number
  format?: (value: number) => string
  /** The list that the figure counts. */
  to: string
  /** Further figures, with their lists. */
  more: readonly (readonly [text: string, to?: string])[]
  /** Values of the last days, oldest first. */
  trend?: readonly number[]
  bad?: boolean
}

function Figure({ title, value, format = formatNumber, to, more, trend = [], bad = false }: FigureProps) {
  const difference = value - (trend[0] ?? value)
  return (
    <li className="relative rounded-2xl border border-line bg-surface px-5 py-4 has-[a:hover]:border-control/60">
      <p className="text-sm text-muted">
        <Link {...linkTo(to)} className="after:absolute after:inset-0 hover:text-text">
          {title}
        </Link>
      </p>
      <p className={classes('mt-1 font-mono text-2xl tabular-nums', bad && 'text-warn')}>{format(value)}</p>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
        {more.map(([text, target]) =>
          target ? (
            <Link
              key={text}
              {...linkTo(target)}
              className="relative inline-flex min-h-7 items-center underline decoration-line underline-offset-4 hover:text-text"
            >
              {text}
            </Link>
          ) : (
            <span key={text} className="inline-flex min-h-7 items-center">
              {text}
            </span>
          ),
        )}
        {trend.length > 1 && difference !== 0 && (
          <span className="inline-flex min-h-7 items-center tabular-nums">
            {t.overview.change(`${difference > 0 ? '+' : '−'}${format(Math.abs(difference))}`)}
          </span>
        )}
      </p>
      {trend.length > 1 && <Sparkline values={trend} label={t.overview.trendLabel(title)} />}
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
