import { classes } from './classes.ts'
import { NodeMark } from './node-mark.tsx'
import { t } from './world-map-texts.ts'

/** The legend of the map. */
export function MapLegend({ className }: { className?: string }) {
  return (
    <ul aria-label={t.legend} className={classes('flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted', className)}>
      {([1, 2, 3] as const).map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <NodeMark kind={kind} status="online" />
          {t.kinds[kind]}
        </li>
      ))}
      {(['offline', 'abnormal'] as const).map((status) => (
        <li key={status} className="flex items-center gap-1.5">
          <NodeMark kind={1} status={status} />
          {t.status[status]}
        </li>
      ))}
    </ul>
  )
}
