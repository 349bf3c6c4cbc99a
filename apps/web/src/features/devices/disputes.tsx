import { Link } from '@tanstack/react-router'
import type { EarnedAmounts, EarningDispute } from '@tidenet/contract'
import { formatDateTime, formatPoints } from '../../lib/format.ts'
import { Card } from '../../ui/states.tsx'
import { t } from './earnings-texts.ts'
import { deviceName } from './format.ts'

const sumOf = ({ traffic, storage }: EarnedAmounts): string => formatPoints(traffic + storage)

/** A dispute with its state and the operators' answer. */
export function DisputeCard({ dispute }: { dispute: EarningDispute }) {
  const { text, note, closed_at, stated, computed } = dispute
  return (
    <section aria-label={t.disputes} className="rounded-2xl border border-line bg-sunken/60 p-4 text-sm sm:p-5">
      <p className="font-medium">{closed_at ? t.disputeClosed(formatDateTime(closed_at)) : t.disputeOpen}</p>
      <p className="mt-1 text-muted">{t.bothResults(sumOf(stated), sumOf(computed))}</p>
      {text && <Quote title={t.yourText}>{text}</Quote>}
      {(note || closed_at) && <Quote title={t.answer}>{note || t.noAnswer}</Quote>}
    </section>
  )
}

const Quote = ({ title, children }: { title: string; children: string }) => (
  <>
    <p className="mt-3 text-muted">{title}</p>
    <p className="whitespace-pre-wrap wrap-anywhere">
      <bdi>{children}</bdi>
    </p>
  </>
)

/** All disputes of the account; each opens the statement of its day. */
export function Disputes({ list, names }: { list: readonly EarningDispute[]; names: ReadonlyMap<string, string> }) {
  if (list.length === 0) return null
  return (
    <section aria-labelledby="disputes" className="mt-10">
      <h2 id="disputes" className="text-lg font-semibold">
        {t.disputes}
      </h2>
      <p className="mb-3 text-sm text-muted">{t.disputesText}</p>
      <Card>
        <ul className="divide-y divide-line text-sm">
          {list.map(({ id, node_id, day, closed_at, note, stated, computed }) => (
            <li key={id} className="p-4 sm:px-5">
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <Link
                  to="/devices"
                  search={{ statement: node_id, day }}
                  resetScroll={false}
                  className="font-medium text-accent underline wrap-anywhere"
                >
                  {t.disputeOf(deviceName({ node_id, name: names.get(node_id) ?? '' }), day)}
                </Link>
                <span className="text-muted">
                  {closed_at ? t.disputeClosed(formatDateTime(closed_at)) : t.disputeOpen}
                </span>
              </p>
              <p className="text-muted">{t.bothResults(sumOf(stated), sumOf(computed))}</p>
              {note && (
                <p className="mt-1 whitespace-pre-wrap wrap-anywhere">
                  <bdi>{note}</bdi>
                </p>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
