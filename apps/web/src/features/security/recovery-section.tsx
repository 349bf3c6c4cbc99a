import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Badge, Card } from '../../ui/states.tsx'
import type { SectionProps } from './section.ts'
import { t } from './texts.ts'

/** Remaining codes at which new ones are recommended. */
const FEW = 3

export function RecoverySection({ overview, withRecentAuth, onCodes }: SectionProps) {
  const r = t.recovery
  const [asking, setAsking] = useState(false)
  const left = overview.recovery_left
  const on = overview.totp_since !== null || overview.passkey_required
  const make = async () => {
    const done = await withRecentAuth(() => api('secondFactors.makeRecoveryCodes', {}))
    setAsking(false)
    if (done) onCodes(done.recovery)
    refresh('secondFactors.overview')
  }
  return (
    <Card className="p-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="flex flex-wrap items-center gap-3 text-lg font-semibold">
            {r.title}
            {on && left <= FEW && <Badge tone="warn">{left}</Badge>}
          </h2>
          <p className="mt-1 text-sm text-muted">{r.text}</p>
          <p className="mt-2 text-sm">{on ? `${r.left(left)}${left <= FEW ? ` ${r.few}` : ''}` : r.idle}</p>
        </div>
        {on && <Button onClick={() => setAsking(true)}>{r.make}</Button>}
      </div>
      {asking && (
        <Confirm
          title={r.makeTitle}
          text={r.makeText}
          action={r.make}
          onClose={() => setAsking(false)}
          onConfirm={make}
        />
      )}
    </Card>
  )
}
