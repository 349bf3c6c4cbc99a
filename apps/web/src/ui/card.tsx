import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <section className={classes('rounded-2xl border border-line bg-surface', className)}>{children}</section>
}
