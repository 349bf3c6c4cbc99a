import type { ShareTerms } from '@tidenet/contract'
import { SHARE_DOWNLOADS, SHARE_PERMANENT } from '@tidenet/contract/constants'
import { type ReactNode, useEffect, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { t } from './texts.ts'

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  )
}

interface TermFactsProps {
  terms: ShareTerms
  /** The limit applies to each file of a folder. */
  each?: boolean
}

/** Expiry, download limit and password. */
export function TermFacts({ terms, each = false }: TermFactsProps) {
  return (
    <>
      <Fact name={t.facts.expires}>
        <Expiry seconds={terms.expire_time} />
      </Fact>
      <Fact name={t.facts.downloads}>
        {terms.downloads_left < 0
          ? t.facts.downloadsFree
          : (terms.link_downloads_left ?? -1) >= 0
            ? t.facts.downloadsLeft(terms.downloads_left)
            : each
              ? t.facts.downloadsEach(SHARE_DOWNLOADS)
              : t.facts.downloadsOf(terms.downloads_left, SHARE_DOWNLOADS)}
      </Fact>
      <Fact name={t.facts.password}>{terms.has_password ? t.facts.passwordNeeded : t.facts.passwordNone}</Fact>
    </>
  )
}

/** @param seconds unix */
function Expiry({ seconds }: { seconds: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (seconds === 0 || seconds >= SHARE_PERMANENT) return t.facts.forGood
  return t.facts.until(formatDateTime(seconds * 1000), formatDuration(seconds * 1000 - now))
}
