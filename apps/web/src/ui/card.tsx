import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface CardProps {
  children: ReactNode
  className?: string
  /** Accessible name, which makes it a landmark. */
  label?: string
  id?: string
}

export function Card({ children, className, label, id }: CardProps) {
  return (
    <section id={id} aria-label={label} className={classes('rounded-2xl border border-line bg-surface', className)}>
      {children}
    </section>
  )
}
