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

/** A one-time or recovery code; password managers that know it fill it in. */
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

/** Whether it can be a code of an app at all. */
export const isTotp = (text: string): boolean => /^\d{6}$/.test(text.replaceAll(/\s/g, ''))
