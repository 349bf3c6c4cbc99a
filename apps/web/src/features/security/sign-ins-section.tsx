import { Link } from '@tanstack/react-router'
import type { SignInRecord } from '@tidenet/contract'
import { query, useQuery } from '../../lib/queries.ts'
import { Badge, Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { deviceName, formatMoment, isPublicNetwork, placeName } from './format.ts'
import { t } from './texts.ts'

const SIZE = 20

/** Recent sign-ins and failed attempts. */
export function SignInsSection() {
  const s = t.signIns
  const list = useQuery(query('sessions.signIns', { size: SIZE }))
  return (
    <Card className="p-6">
      <h2 className="text-lg font-semibold">{s.title}</h2>
      <p className="mt-1 text-sm text-muted">
        {s.text} {s.activityHint}{' '}
        <Link to="/activity" className="text-accent underline">
          {s.activityLink}
        </Link>
      </p>
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <LoadFailed title={s.failed} error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data.signIns.length === 0 ? (
        <p className="mt-4 border-t border-line pt-4 text-sm text-muted">{s.none}</p>
      ) : (
        <table className="mt-4 block w-full text-sm md:table">
          <thead className="hidden md:table-header-group">
            <tr className="border-b border-line text-left text-muted">
              {Object.values(s.columns).map((name) => (
                <th key={name} scope="col" className="py-2 pr-6 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="block border-t border-line md:table-row-group md:border-0">
            {list.data.signIns.map((signIn) => (
              <tr
                key={`${signIn.at} ${signIn.way}`}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3 md:table-row md:py-0"
              >
                <td className="order-2 text-muted tabular-nums md:table-cell md:py-2.5 md:pr-6 md:whitespace-nowrap">
                  {formatMoment(signIn.at)}
                </td>
                <td className="order-1 basis-full font-medium md:table-cell md:py-2.5 md:pr-6">
                  <How signIn={signIn} />
                </td>
                <td className="order-3 md:table-cell md:py-2.5 md:pr-6">{deviceName(signIn.device)}</td>
                <td className="order-4 md:table-cell md:py-2.5">
                  <span className={isPublicNetwork(signIn.place) ? 'font-mono text-[0.8125rem]' : ''}>
                    {placeName(signIn.place)}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function How({ signIn: { way, second, ok } }: { signIn: SignInRecord }) {
  const s = t.signIns
  const besides = second === '' || second === 'owed' ? '' : ` + ${s.seconds[second]}`
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {s.ways[way]}
      {besides}
      {!ok && <Badge tone="warn">{second === 'owed' ? s.owed : s.refused}</Badge>}
    </span>
  )
}
