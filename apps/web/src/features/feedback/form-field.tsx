import type { ReactNode } from 'react'
import { t as shell } from '../../lib/texts.ts'

// Plain controls: public pages contain this form, and the field components would double their size.
export const control =
  'w-full min-h-11 rounded-lg border border-control bg-surface px-3 py-2 text-text transition-colors ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 aria-invalid:border-danger'

interface FieldProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** A control with its label, and what is wrong with it. */
export function FormField({
  id,
  label,
  optional = false,
  hint,
  problem,
  children,
}: {
  id: string
  label: string
  optional?: boolean
  hint?: string | undefined
  problem: string | undefined
  children: (props: FieldProps) => ReactNode
}) {
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label} {optional && <span className="font-normal text-muted">({shell.words.optional})</span>}
      </label>
      {children({ id, 'aria-invalid': problem ? true : undefined, 'aria-describedby': described || undefined })}
      {problem && (
        <p id={`${id}-problem`} className="text-sm text-danger">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
