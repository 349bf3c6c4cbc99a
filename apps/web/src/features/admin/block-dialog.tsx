import { BLOCK_CATEGORIES, type BlockCategory } from '@tidenet/contract'
import { useId, useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { Field, inputClass, TextInput } from '../../ui/field.tsx'
import { t as abuse } from '../abuse/texts.ts'
import { t } from './abuse-texts.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** What changes when a content is blocked or its block lifted. */
export const refreshBlocks = () =>
  refresh('admin.blocks', 'admin.published', 'admin.reports', 'admin.objections', 'admin.overview', 'admin.audit')

/** Blocks a content; from a report, everything is filled in. */
export function BlockDialog({
  cid,
  category: initial = 'other',
  reason = '',
  onClose,
}: {
  /** Left out: the operator enters it. */
  cid?: string
  category?: BlockCategory
  reason?: string
  onClose: () => void
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [category, setCategory] = useState<BlockCategory>(initial)
  const content = cid ?? typed.trim()
  return (
    <ReasonDialog
      title={t.blockTitle}
      text={t.blockText}
      confirm={t.block}
      danger
      initial={reason}
      validate={() => (content === '' ? t.needCid : undefined)}
      act={async (why) => {
        await api('admin.block', { cid: content, category, reason: why })
        refreshBlocks()
        return t.blockedToast
      }}
      onClose={onClose}
    >
      {cid === undefined ? (
        <Field label={t.cid}>
          <TextInput
            value={typed}
            maxLength={200}
            required
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      ) : (
        <p className="font-mono text-xs wrap-anywhere" translate="no">
          {cid}
        </p>
      )}
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          {t.category}
        </label>
        <select
          id={id}
          value={category}
          onChange={(event) => setCategory(event.target.value as BlockCategory)}
          className={inputClass}
        >
          {BLOCK_CATEGORIES.map((each) => (
            <option key={each} value={each}>
              {abuse.categories[each]}
            </option>
          ))}
        </select>
      </div>
    </ReasonDialog>
  )
}

export const LiftDialog = ({ cid, onClose }: { cid: string; onClose: () => void }) => (
  <ReasonDialog
    title={t.lift}
    text={t.liftText}
    confirm={t.lift}
    act={async (reason) => {
      await api('admin.unblock', { cid, reason })
      refreshBlocks()
      return t.liftedToast
    }}
    onClose={onClose}
  >
    <p className="font-mono text-xs wrap-anywhere" translate="no">
      {cid}
    </p>
  </ReasonDialog>
)
