import { Field, TextInput } from '../../ui/field.tsx'

interface CodeInputProps {
  label: string
  hint?: string
  value: string
  error: string | undefined
  onChange: (code: string) => void
  /** A recovery code has letters too. */
  kind: 'totp' | 'recovery' | 'either'
}

/** Input for a one-time or recovery code; supports autofill. */
export function CodeInput({ label, hint, value, error, onChange, kind }: CodeInputProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <TextInput
        name={kind === 'recovery' ? 'recovery-code' : 'one-time-code'}
        inputMode={kind === 'totp' ? 'numeric' : 'text'}
        autoComplete={kind === 'recovery' ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={20}
        className="font-mono text-lg tracking-widest"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** Whether the text has the format of a one-time code. */
export const isTotp = (text: string): boolean => /^\d{6}$/.test(text.replaceAll(/\s/g, ''))
