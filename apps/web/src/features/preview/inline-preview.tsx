import { type ReactNode, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { Card } from '../../ui/states.tsx'
import { previewKind } from './kinds.ts'
import { OriginNote } from './origin-note.tsx'
import { previewHeightClass } from './preview-placeholder.tsx'
import type { Source } from './source.ts'
import { t } from './texts.ts'
import { type Origin, Viewer } from './viewer.tsx'

/** A compact preview within the page of a file. */
export function InlinePreview({
  source,
  name,
  size,
  full,
}: {
  source: Source
  name: string
  size: number
  full?: ReactNode
}) {
  const [origin, setOrigin] = useState<Origin>()
  const kind = previewKind(name)
  return (
    <Card className="min-w-0 overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 pt-4 pb-3">
        <h2 className="text-lg font-semibold">{t.heading}</h2>
        {full}
      </div>
      <div className={classes('border-y border-line', (!origin || kind === 'pdf') && previewHeightClass(kind, size))}>
        <Viewer source={source} name={name} size={size} kind={kind} compact onOrigin={setOrigin} />
      </div>
      <div className="px-5 py-3">
        <OriginNote origin={origin} size={size} />
      </div>
    </Card>
  )
}
