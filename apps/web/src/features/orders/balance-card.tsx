import { Link } from '@tanstack/react-router'
import { messageOf } from '../../lib/api.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Card } from '../../ui/states.tsx'
import { formatCoins } from './format.ts'
import { t } from './texts.ts'
import { useSymbol } from './use-offers.ts'

const u = t.use

/** Balance of the linked wallet. */
export function BalanceCard() {
  const info = useQuery(query('wallets.bindInfo', {}))
  const linked = Boolean(info.data?.keplr)
  const balance = useQuery({ ...query('faucet.balance', {}), enabled: linked })
  const symbol = useSymbol()
  return (
    <Card className="flex flex-col items-start justify-between gap-4 p-6">
      <div>
        <h2 className="text-sm text-muted">{u.balance}</h2>
        <p className="mt-1 flex min-h-9 items-center gap-1 font-mono text-2xl tabular-nums" aria-live="polite">
          {balance.data ? formatCoins(balance.data.balance, symbol) : `– ${symbol}`}
          {balance.data && <CopyIcon text={balance.data.balance} label={u.copyBalance} />}
        </p>
        {balance.data ? (
          <p className="flex items-center gap-1 text-sm text-muted">
            <span className="font-mono" translate="no" title={balance.data.address}>
              {shorten(balance.data.address, 10, 6)}
            </span>
            <CopyIcon text={balance.data.address} label={u.copyAddress} />
          </p>
        ) : info.data && !linked ? (
          <p className="mt-1 text-sm text-muted">{u.noWallet}</p>
        ) : balance.isError ? (
          <p role="alert" className="mt-1 text-sm text-danger">
            {u.balanceFailed} {messageOf(balance.error)}
          </p>
        ) : (
          // What is below must not move under the pointer when the address arrives.
          <p className="min-h-9" />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to="/testCoin" className={buttonClass('secondary')}>
          {u.claim}
        </Link>
        {balance.isError && <Button onClick={() => void balance.refetch()}>{t.pay.retry}</Button>}
      </div>
    </Card>
  )
}
