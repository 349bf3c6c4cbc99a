import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { isAddress } from './parse-query.ts'
import { t } from './texts.ts'
import { useChainSettings } from './use-settings.ts'

const linkClass = 'text-accent underline-offset-3 hover:underline'

/** A link to a transaction, with its hash shortened. */
export function TransactionLink({ hash }: { hash: string }) {
  return (
    <Link to="/chain/tx/$hash" params={{ hash }} title={hash} translate="no" className={`${linkClass} font-mono`}>
      {shorten(hash, 8, 6)}
    </Link>
  )
}

export function BlockLink({ height }: { height: number }) {
  return (
    <Link
      to="/chain/block/$height"
      params={{ height: String(height) }}
      className={`${linkClass} font-mono tabular-nums`}
    >
      {formatNumber(height)}
    </Link>
  )
}

/** A link to an address. @param named show the network's contracts by name. Invalid addresses in transactions are not linked. */
export function AddressLink({ address, named = true }: { address: string; named?: boolean }) {
  const settings = useChainSettings()
  if (address === '') return <span className="text-muted">{t.nobody}</span>
  if (!isAddress(address))
    return (
      <span className="font-mono wrap-anywhere" translate="no">
        {address}
      </span>
    )
  const name = !named
    ? undefined
    : address === settings.data?.token.address
      ? t.tokenContract
      : address === settings.data?.orders
        ? t.ordersContract
        : undefined
  return (
    <Link
      to="/chain/address/$address"
      params={{ address }}
      title={address}
      {...(!name && { translate: 'no' as const })}
      className={name ? linkClass : `${linkClass} font-mono whitespace-nowrap`}
    >
      {name ?? shorten(address, 10, 6)}
    </Link>
  )
}
