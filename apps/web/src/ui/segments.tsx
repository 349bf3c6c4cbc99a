import { classes } from './classes.ts'

interface Segment<T> {
  value: T
  name: string
  /** Instead of the name on phones. */
  short?: string
}

/**
 * A choice of one of a few values, all of which are visible.
 * @param label for screen readers
 * @param isWide as wide as a phone, with segments of equal width
 */
export function Segments<T extends string | number>({
  label,
  options,
  value,
  isWide = false,
  onChange,
}: {
  label: string
  options: readonly Segment<T>[]
  value: T
  isWide?: boolean
  onChange: (value: T) => void
}) {
  return (
    <fieldset className={classes('flex rounded-lg bg-sunken p-1', isWide && 'max-sm:w-full')}>
      <legend className="sr-only">{label}</legend>
      {options.map(({ value: each, name, short }) => (
        <button
          key={each}
          type="button"
          aria-pressed={value === each}
          onClick={() => onChange(each)}
          className={classes(
            'min-h-8 rounded-md px-3 text-sm whitespace-nowrap',
            isWide && 'flex-1',
            value === each ? 'bg-surface font-medium shadow-sm' : 'text-muted hover:text-text',
          )}
        >
          {short === undefined ? (
            name
          ) : (
            <>
              <span className="max-sm:hidden">{name}</span>
              <span className="sm:hidden">{short}</span>
            </>
          )}
        </button>
      ))}
    </fieldset>
  )
}
