import type { AdminNode } from '@tidenet/contract'
import { AREA_ID } from '@tidenet/contract/constants'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { t } from './texts.ts'

/** Assigns the area of a node; without one, its address decides again. */
export function AreaDialog({ node, onDone, onClose }: { node: AdminNode; onDone: () => void; onClose: () => void }) {
  const n = t.nodes
  const [area, setArea] = useState(node.region_by === 'operator' ? node.area_id : '')
  const text = area.trim()
  return (
    <ReasonDialog
      title={n.assignArea}
      text={n.assignAreaText}
      confirm={n.assignArea}
      onClose={onClose}
      validate={() => (text === '' || AREA_ID.test(text) ? undefined : n.areaWrong)}
      act={async (reason) => {
        await api('admin.nodeRegion', { node_id: node.node_id, area_id: text || null, reason })
        onDone()
        return undefined
      }}
    >
      <Field label={n.areaField} hint={n.areaHint}>
        <TextInput value={area} maxLength={200} translate="no" onChange={(event) => setArea(event.target.value)} />
      </Field>
    </ReasonDialog>
  )
}
