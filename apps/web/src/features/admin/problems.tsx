import { Link } from '@tanstack/react-router'
import type { AdminProblem, AdminProblemKind } from '@tidenet/contract'
import { CircleAlert, CircleCheck, Inbox } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { linkTo } from '../../lib/link.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

const SEVERE: readonly AdminProblemKind[] = ['logBehind', 'contentsNowhere', 'jobsDead']
/** People who wait; nothing is broken. */
const REQUESTS: readonly AdminProblemKind[] = ['reports', 'objections', 'chatsWaiting', 'disputes', 'supports', 'leads']

const LISTS: Readonly<Record<Exclude<AdminProblemKind, 'payoutsLate' | 'anchorsLate'>, string>> = {
  logBehind: '#system',
  logLate: '#system',
  contentsNowhere: '/admin?view=contents&state=nowhere',
  contentsShort: '/admin?view=contents',
  jobsDead: '#jobs',
  jobsFailing: '#jobs',
  certificatesFailing: '/admin?view=nodes&status=online',
  certificatesWaiting: '/admin?view=nodes&status=online',
  nodesAbnormal: '/admin?view=nodes&status=abnormal',
  nodesOffline: '/admin?view=nodes&status=offline',
  storageFull: '/admin?view=nodes&status=online',
  mailsFailing: '/admin?view=mails&state=waiting',
  mailsRefused: '/admin?view=mails&state=refused',
  exchangesStuck: '/admin?view=exchange&stuck=true',
  clustersAway: '/admin?view=clusters',
  thirdPartiesAway: '/admin?view=thirdParties',
  speechAway: '/whisper',
  chatsWaiting: '/admin?view=chats',
  reports: '/admin?view=reports',
  objections: '/admin?view=blocks',
  disputes: '/admin?view=disputes&state=open',
  supports: '/admin?view=supports&state=open',
  leads: '/admin?view=leads&state=open',
}

/** Where a problem is listed or explained. */
const targetOf = ({ kind, about }: AdminProblem): string =>
  kind === 'payoutsLate' || kind === 'anchorsLate'
    ? about
      ? `/chain/address/${encodeURIComponent(about)}`
      : '/chain'
    : LISTS[kind]

/** What operators should look at, the most urgent first; each with a link. */
export function Problems({ list }: { list: readonly AdminProblem[] }) {
  const o = t.overview
  return (
    <section aria-labelledby="problems" className="mb-8">
      <h2 id="problems" className="mb-3 text-lg font-semibold">
        {o.problems}
      </h2>
      <Card className="overflow-hidden">
        {list.length === 0 ? (
          <p className="flex items-start gap-3 px-5 py-4">
            <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
            {o.noProblems}
          </p>
        ) : (
          <ul>
            {list.map((problem) => (
              <li
                key={problem.kind}
                className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3 first:border-t-0"
              >
                <ProblemIcon kind={problem.kind} />
                <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
                  {o.problem[problem.kind](problem.count, problem.about)}
                  {problem.since && (
                    <span className="block text-sm text-muted tabular-nums">
                      {o.since(formatDateTime(problem.since))}
                    </span>
                  )}
                </p>
                <Look problem={problem} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}

function ProblemIcon({ kind }: { kind: AdminProblemKind }) {
  if (REQUESTS.includes(kind)) return <Inbox aria-hidden className="size-5 shrink-0 text-muted" />
  return (
    <CircleAlert
      aria-hidden
      className={classes('size-5 shrink-0', SEVERE.includes(kind) ? 'text-danger' : 'text-warn')}
    />
  )
}

function Look({ problem }: { problem: AdminProblem }) {
  const target = targetOf(problem)
  const name = t.overview.look[problem.kind]
  return target.startsWith('#') ? (
    <a href={target} className={buttonClass()}>
      {name}
    </a>
  ) : (
    <Link {...linkTo(target)} className={buttonClass()}>
      {name}
    </Link>
  )
}
