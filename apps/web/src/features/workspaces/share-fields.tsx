import { Field, TextInput } from '../../ui/field.tsx'
import { floorToStep, formatPart, LEAST, PARTS, type Part, partProblem, type Size, STEP } from './sizes.ts'
import { t } from './texts.ts'

export type ShareText = Record<Part, string>

export const shareText = (size: Size): ShareText => ({
  cpu: String(size.cpu),
  memory: String(size.memory),
  storage: String(size.storage),
})
export const sizeOf = (share: ShareText): Size => ({
  cpu: Number(share.cpu),
  memory: Number(share.memory),
  storage: Number(share.storage),
})

/** Whether all three are available. */
export const isShare = (share: ShareText, left: Size, least: Size = LEAST): boolean =>
  PARTS.every((part) => partProblem(part, share[part], left[part], least[part]) === undefined)

interface ShareFieldsProps {
  value: ShareText
  onChange: (value: ShareText) => void
  /** Upper limit of each resource. */
  left: Size
  least?: Size
  /** Whether to show problems. */
  checked: boolean
}

/** Share of the workspace for a program. */
export function ShareFields({ value, onChange, left, least = LEAST, checked }: ShareFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {PARTS.map((part) => {
        const most = floorToStep(part, left[part])
        const problem = partProblem(part, value[part], left[part], least[part])
        const range = t.deploy.between(formatPart(part, least[part]), formatPart(part, most))
        const few =
          part === 'storage' && least[part] > LEAST[part] ? t.settings.diskLeast(formatPart(part, least[part])) : range
        return (
          <Field
            key={part}
            label={t.deploy[part]}
            hint={t.deploy.shareHint(formatPart(part, most))}
            // Show excessive values while typing.
            error={problem === 'many' ? t.deploy.tooMuch(formatPart(part, most)) : problem && checked ? few : undefined}
          >
            <TextInput
              type="number"
              inputMode="decimal"
              min={least[part]}
              max={most}
              step={STEP[part]}
              className="font-mono tabular-nums"
              value={value[part]}
              onChange={(event) => onChange({ ...value, [part]: event.target.value })}
            />
          </Field>
        )
      })}
    </div>
  )
}
