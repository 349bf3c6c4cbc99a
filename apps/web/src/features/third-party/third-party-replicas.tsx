import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { useQuery } from '../../lib/queries.ts'
import { Badge, LoadFailed, Loading } from '../../ui/states.tsx'
import { thirdPartyReplicas } from './query.ts'
import { t } from './texts.ts'

type Listed = Output<RouteOf<'thirdParty.list'>>
type Replica = Listed['list'][number]

const REFRESH_MS = 5000
const USUAL_REFRESH_MS = 60_000

const isChanging = (data: Listed | undefined): boolean =>
  data !== undefined &&
  (data.list.some(({ state }) => state !== 'stored') || (data.total === 0 && data.excluded === null))

/** The third-party replicas of a file of the account: state, provider, deal, validity, and why one is late. */
export function ThirdPartyReplicas({ cid }: { cid: string }) {
  const replicas = useQuery({
    ...thirdPartyReplicas(cid),
    refetchInterval: ({ state }) => (isChanging(state.data) ? REFRESH_MS : USUAL_REFRESH_MS),
  })
  return (
    <section aria-label={t.title}>
      <h3 className="mt-7 mb-1 text-lg font-semibold">{t.title}</h3>
      {replicas.data ? (
        <Contents data={replicas.data} />
      ) : replicas.isError ? (
        <LoadFailed title={t.failed} error={replicas.error} onRetry={() => void replicas.refetch()} />
      ) : (
        <Loading />
      )}
    </section>
  )
}

function Contents({ data }: { data: Listed }) {
  const { list, stored, simulated, wanted, excluded, total } = data
  return (
    <>
      <p className="text-sm text-muted">{t.intro}</p>
      {excluded !== null && <p className="mt-2">{t.excluded[excluded]}</p>}
      {excluded === null && total === 0 && <p className="mt-2">{t.preparing}</p>}
      {total > 0 && excluded === null && (
        <p className="mt-2 tabular-nums">
          {wanted > 0 ? t.count(stored, wanted) : t.countOnly(stored)}
          {simulated > 0 && t.simulatedCount(simulated)}
        </p>
      )}
      {total > 0 && total < wanted && <p className="text-sm text-muted">{t.fewer(wanted)}</p>}
      {list.length > 0 && (
        <ul className="mt-3 divide-y divide-line rounded-xl border border-line">
          {list.map((replica) => (
            <ReplicaRow key={replica.id} replica={replica} />
          ))}
        </ul>
      )}
      {list.some((replica) => replica.simulated) && <p className="mt-2 text-sm text-muted">{t.simulatedNote}</p>}
      {(excluded === 'noAgreement' || (excluded === null && total > 0)) && (
        <p className="mt-3">
          <Link to="/myAccount" hash="third-party" className="text-accent underline hover:text-accent-strong">
            {t.change}
          </Link>
        </p>
      )}
    </>
  )
}

function ReplicaRow({ replica }: { replica: Replica }) {
  const { provider, state, simulated, late, expected_at, deal_id, start_time, end_time, checked_at, renewals } = replica
  const tone = state === 'stored' ? 'accent' : late ? 'warn' : 'plain'
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium wrap-anywhere">{provider}</span>
        {simulated && <Badge tone="warn">{t.simulated}</Badge>}
        <span className="sm:ml-auto">
          <Badge tone={tone}>{t.states[state]}</Badge>
        </span>
      </div>
      <div className="mt-1 grid gap-0.5 text-sm text-muted">
        {replica.queue_position !== null && <p>{t.queue(replica.queue_position)}</p>}
        {late ? (
          <>
            <p>{t.reasons[late.reason]}</p>
            {state !== 'stored' && <p>{t.late(formatDateTime(late.by))}</p>}
          </>
        ) : (
          expected_at !== null && <p>{t.expected(formatDateTime(expected_at))}</p>
        )}
        {start_time !== null && end_time !== null && (
          <p>
            {t.validity(formatDate(start_time), formatDate(end_time))}
            {renewals > 0 && t.renewals(renewals)}
          </p>
        )}
        {deal_id !== '' && (
          <p className="wrap-anywhere">
            {t.deal} <span className="font-mono">{deal_id}</span>
          </p>
        )}
        {checked_at !== null && <p>{t.checked(formatDateTime(checked_at))}</p>}
      </div>
    </li>
  )
}
