import { Progress } from '@base-ui/react/progress'
import { classes } from './classes.ts'

interface ProgressBarProps {
  /** 0 to 100; null while unknown. */
  value: number | null
  label: string
  tone?: 'accent' | 'good' | 'danger' | 'warn'
}

const tones = { accent: 'bg-accent', good: 'bg-good', danger: 'bg-danger', warn: 'bg-warn' } as const

export function ProgressBar({ value, label, tone = 'accent' }: ProgressBarProps) {
  return (
    <Progress.Root value={value} aria-label={label} className="w-full">
      <Progress.Track className="block h-1.5 overflow-hidden rounded-full bg-sunken">
        <Progress.Indicator
          className={classes(
            'block h-full rounded-full transition-[width] duration-150',
            tones[tone],
            value === null && 'w-1/3 animate-pulse',
          )}
        />
      </Progress.Track>
    </Progress.Root>
  )
}
