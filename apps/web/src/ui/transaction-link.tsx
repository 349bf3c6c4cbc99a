import { Link } from '@tanstack/react-router'
import { shorten } from '../lib/phrases.ts'

/** The transaction that pays something; with an empty hash, what is said as long as there is none. */
export function TransactionLink({ hash, none }: { hash: string; none: string }) {
  if (hash === '') return <span className="text-muted">{none}</span>
  return (
    <Link
      to="/chain/tx/$hash"
      params={{ hash }}
      title={hash}
      translate="no"
      className="font-mono whitespace-nowrap text-accent underline-offset-3 hover:underline"
    >
      {shorten(hash, 6, 4)}
    </Link>
  )
}
