import { Link } from '@tanstack/react-router'
import { shorten } from '../lib/phrases.ts'

/** Links to a transaction in the explorer. @param none shown while the hash is empty */
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
