import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { inputClass } from './field.tsx'

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'aria-label' | 'type'> {
  label: string
  /** Of the input with its icon. */
  className?: string
}

/** A search field with an icon. */
export function SearchInput({ label, className, ...rest }: SearchInputProps) {
  return (
    <div className={classes('relative min-w-0', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
      <input {...rest} type="search" aria-label={label} className={classes(inputClass, 'pl-9')} />
    </div>
  )
}
