import { Field, TextInput } from '../../ui/field.tsx'
import { floored, LEAST, PARTS, type Part, partProblem, type Size, STEP, sayPart } from './sizes.ts'
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

/** Whether all three can be had. */
export const isShare = (share: ShareText, left: Size, least: Size = LEAST): boolean =>
  PARTS.every((part) => partProblem(part, share[part], left[part], least[part]) === undefined)

interface ShareFieldsProps {
  value: ShareText
  onChange: (value: ShareText) => void
  /** What the program could have at most. */
  left: Size
  least?: Size
  /** Whether what is wrong is said by now. */
  checked: boolean
}

/** How much of its workspace a program gets. */
export function ShareFields({ value, onChange, left, least = LEAST, checked }: ShareFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {PARTS.map((part) => {
        const most = floored(part, left[part])
        const problem = partProblem(part, value[part], left[part], least[part])
        const range = t.deploy.between(sayPart(part, least[part]), sayPart(part, most))
        const few =
          part === 'storage' && least[part] > LEAST[part] ? t.settings.diskLeast(sayPart(part, least[part])) : range
        return (
          <Field
            key={part}
            label={t.deploy[part]}
            hint={t.deploy.shareHint(sayPart(part, most))}
            // Too much is said while it is typed: it is what keeps from going on.
            error={problem === 'many' ? t.deploy.tooMuch(sayPart(part, most)) : problem && checked ? few : undefined}
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
