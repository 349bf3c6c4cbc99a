import {
  FREE_API_KEYS,
  FREE_DOWNLOAD_TRAFFIC,
  FREE_FOLDERS,
  FREE_STORAGE,
  FREE_STORAGE_DAYS,
  REPLICA_TARGET,
  SHARE_DOWNLOADS,
  VIP_API_KEYS,
  VIP_DOWNLOAD_TRAFFIC,
  VIP_FOLDERS,
  VIP_STORAGE,
} from '@tidenet/contract/constants'
import { THIRD_PARTY_COPIES } from '@tidenet/contract/third-party'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Badge, Card } from '../../ui/states.tsx'
import { openSupport } from '../feedback/support.ts'
import { COLUMNS, columnOf, planOf } from './plan.ts'
import { t } from './texts.ts'

/** Compares the plans, with the limits that the server enforces. */
export function PlansPage() {
  const title = usePageTitle()
  const mine = useSession(({ userinfo }) => userinfo && columnOf(planOf(userinfo)))
  const r = t.rows
  const services = useQuery({ ...query('portal.services', {}), staleTime: 30_000 })
  const state = services.data?.third_party
  const thirdParty = `${formatNumber(THIRD_PARTY_COPIES.vip)}${state === 'none' ? r.thirdPartyNone : state === 'simulated' ? r.thirdPartySimulated : ''}`
  const rows: [string, string, string][] = [
    [r.storage, formatSize(FREE_STORAGE), formatSize(VIP_STORAGE)],
    [r.outflow, formatSize(FREE_DOWNLOAD_TRAFFIC), formatSize(VIP_DOWNLOAD_TRAFFIC)],
    [r.file, r.fileFree, r.filePaid],
    [r.shares, formatNumber(SHARE_DOWNLOADS), r.unlimited],
    [r.folders, formatNumber(FREE_FOLDERS), formatNumber(VIP_FOLDERS)],
    [r.keys, formatNumber(FREE_API_KEYS), formatNumber(VIP_API_KEYS)],
    [r.keep, r.keepDays(formatNumber(FREE_STORAGE_DAYS)), r.keepOn],
    [r.copies, r.copiesUpTo(REPLICA_TARGET), r.copiesUpTo(REPLICA_TARGET)],
    [r.thirdParty, r.none, thirdParty],
    [r.acceleration, r.notIncluded, r.included],
    [r.price, r.free, r.ask],
  ]
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} intro={t.plansIntro} />
      <Card className="hidden md:block">
        <table className="w-full text-left">
          <thead>
            <tr className="border-b border-line">
              <td className="px-5 py-4" />
              {COLUMNS.map((plan) => (
                <th key={plan} scope="col" className="px-5 py-4 text-lg font-semibold">
                  {t.plans[plan]}{' '}
                  {plan === mine && (
                    <Badge tone="accent">
                      <span className="font-normal">{t.mine}</span>
                    </Badge>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, free, paid]) => (
              <tr key={name} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-5 py-3 font-normal text-muted">
                  {name}
                </th>
                <td className="px-5 py-3 tabular-nums">{free}</td>
                <td className="px-5 py-3 tabular-nums">{paid}</td>
                <td className="px-5 py-3 text-muted">{t.enterpriseValue}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <ul className="grid gap-4 md:hidden">
        {COLUMNS.map((plan, index) => (
          <li key={plan}>
            <Card className="p-5">
              <h2 className="text-lg font-semibold">
                {t.plans[plan]} {plan === mine && <Badge tone="accent">{t.mine}</Badge>}
              </h2>
              {plan === 'enterprise' ? (
                <p className="mt-2 text-muted">{t.enterpriseText}</p>
              ) : (
                <dl className="mt-2">
                  {rows.map(([what, ...values]) => (
                    <div key={what} className="flex justify-between gap-6 border-t border-line py-2 first:border-t-0">
                      <dt className="text-muted">{what}</dt>
                      <dd className="text-right tabular-nums">{values[index]}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </Card>
          </li>
        ))}
      </ul>
      <Card className="mt-6 flex flex-wrap items-center justify-between gap-4 p-6">
        <div>
          <h2 className="text-lg font-semibold">{t.askTitle}</h2>
          <p className="text-muted">{t.askText}</p>
        </div>
        <Button look="primary" onClick={() => openSupport('contact')}>
          {t.ask}
        </Button>
      </Card>
    </div>
  )
}
