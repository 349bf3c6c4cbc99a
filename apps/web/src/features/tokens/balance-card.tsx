import { Link } from '@tanstack/react-router'
import { messageOf } from '../../lib/api.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { locale, t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Card } from '../../ui/states.tsx'
import { formatCoins } from '../chain/amounts.ts'
import { useChainSettings } from '../chain/use-settings.ts'
import { t } from './texts.ts'

const c = t.claim
const REFRESH_MS = 30_000

/** Balance of the linked wallet, read from the chain. */
export function BalanceCard({ linked }: { linked: string | undefined }) {
  const settings = useChainSettings()
  const balance = useQuery({ ...query('faucet.balance', {}), enabled: Boolean(linked), refetchInterval: REFRESH_MS })
  const { data } = balance
  return (
    <Card className="flex flex-col items-start p-6">
      <h2 className="text-sm text-muted">{c.balance}</h2>
      {balance.isError ? (
        <div role="alert" className="mt-2">
          <p className="font-medium">{c.balanceFailed}</p>
          <p className="text-sm text-muted">{messageOf(balance.error)}</p>
          <Button className="mt-3" onClick={() => void balance.refetch()}>
            {shell.words.retry}
          </Button>
        </div>
      ) : (
        <>
          <p className="mt-1 flex items-center gap-1 font-mono text-2xl tabular-nums">
            {data && settings.data
              ? formatCoins({ units: data.units, decimals: settings.data.token.decimals }, locale)
              : (data?.balance ?? '–')}{' '}
            {t.coin}
            {data && <CopyIcon text={data.balance} label={c.copyBalance} />}
          </p>
          <p className="text-sm text-muted">
            {data &&
              settings.data &&
              (data.gas === '0'
                ? c.noFees
                : c.fees(
                    `${formatCoins({ units: data.gas, decimals: settings.data.decimals }, locale)} ${settings.data.coin}`,
                  ))}
          </p>
        </>
      )}
      {linked && (
        <Link
          to="/chain/address/$address"
          params={{ address: linked }}
          className="mt-4 inline-block text-sm text-accent underline underline-offset-3"
        >
          {c.onChain}
        </Link>
      )}
    </Card>
  )
}
