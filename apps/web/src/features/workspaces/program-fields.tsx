import { Field, TextInput } from '../../ui/field.tsx'
import { t } from './texts.ts'

interface Props {
  value: string
  onChange: (value: string) => void
  hint: string
  error: string | undefined
}

/** The image of a program. */
export const ImageField = (props: Props) => <LineField label={t.deploy.imageName} {...props} />

/** The command of a program, as one line. */
export const CommandField = (props: Pick<Props, 'value' | 'onChange'>) => (
  <LineField label={t.deploy.command} hint={t.deploy.commandHint} error={undefined} {...props} />
)

function LineField({ label, value, onChange, ...more }: Props & { label: string }) {
  return (
    <Field label={label} {...more}>
      <TextInput
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-sm"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** The TCP ports of a program. */
export function PortsField({ value, onChange, placeholder, ...more }: Props & { placeholder?: string }) {
  return (
    <Field label={t.deploy.ports} {...more}>
      <TextInput
        inputMode="numeric"
        autoComplete="off"
        placeholder={placeholder}
        className="max-w-sm font-mono text-sm"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
