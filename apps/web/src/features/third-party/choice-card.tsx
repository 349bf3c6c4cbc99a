import type { ThirdPartyChoice } from '@tidenet/contract'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { queries, query, useQuery } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

const ORDER = ['encrypted', 'all', 'off'] as const satisfies readonly ThirdPartyChoice[]

/** Which files may be copied to third parties. */
export function ThirdPartyChoiceCard() {
  const question = query('thirdParty.choice', {})
  const choice = useQuery(question)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const choose = async (next: ThirdPartyChoice) => {
    if (busy || !choice.data) return
    setBusy(true)
    try {
      const saved = await api('thirdParty.choose', { choice: next })
      queries.setQueryData(question.queryKey, { ...choice.data, ...saved })
      toast.success(t.saved)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="p-6" id="third-party">
      <h2 className="mb-2 text-lg font-semibold">{t.cardTitle}</h2>
      {choice.isPending ? (
        <Loading />
      ) : choice.isError ? (
        <LoadFailed title={t.failed} error={choice.error} onRetry={() => void choice.refetch()} />
      ) : (
        <>
          <p className="mb-4 text-muted">{choice.data.copies > 0 ? t.cardPlan(choice.data.copies) : t.cardNoPlan}</p>
          {choice.data.providers !== 'real' && (
            <div className="mb-4">
              <Notice tone="info">
                <p>{choice.data.providers === 'none' ? t.cardNone : t.cardSimulated}</p>
              </Notice>
            </div>
          )}
          <RadioCards
            label={t.cardLabel}
            value={choice.data.choice}
            // Copies at third parties cannot be taken back, and arrow keys select what they pass.
            onChange={(next) => (next === 'all' ? setAsking(true) : void choose(next))}
            options={ORDER.map((value) => ({ value, ...t.choices[value] }))}
            columns="md:grid-cols-3"
          />
          <p className="mt-3 text-sm text-muted">{t.cardAreas}</p>
          <Dialog
            open={asking}
            onClose={() => setAsking(false)}
            title={t.askTitle}
            description={t.choices.all.hint}
            actions={
              <>
                <Button onClick={() => setAsking(false)}>{shell.words.cancel}</Button>
                <Button
                  look="primary"
                  onClick={() => {
                    setAsking(false)
                    void choose('all')
                  }}
                >
                  {t.askConfirm}
                </Button>
              </>
            }
          />
        </>
      )}
    </Card>
  )
}
