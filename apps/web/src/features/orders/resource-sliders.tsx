import type { Resources } from '@tidenet/contract/price'
import { Amount } from './amount.tsx'
import { formatQuantity } from './format.ts'
import { QUANTITIES } from './terms.ts'
import { t } from './texts.ts'

interface ResourceSlidersProps {
  resources: Resources
  onChange: (resources: Resources) => void
  /** The order to replace, whose values are shown for comparison. */
  old?: Resources | undefined
}

/** A slider for each resource and the duration. */
export function ResourceSliders({ resources, onChange, old }: ResourceSlidersProps) {
  return (
    <div className="grid gap-7">
      {QUANTITIES.map((key) => (
        <Amount
          key={key}
          quantity={key}
          name={t.names[key]}
          valueText={formatQuantity(key, resources[key])}
          exactLabel={t.exact(t.names[key])}
          value={resources[key]}
          note={old && t.buy.old(formatQuantity(key, old[key]))}
          onChange={(value) => onChange({ ...resources, [key]: value })}
        />
      ))}
    </div>
  )
}
