import { Link } from '@tanstack/react-router'
import { shorten } from '../../lib/phrases.ts'
import { t } from './texts.ts'

/** The transaction that pays something; an empty hash: there is none yet. */
export function TransactionLink({ hash }: { hash: string }) {
  if (hash === '') return <span className="text-muted">{t.claim.noLink}</span>
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
