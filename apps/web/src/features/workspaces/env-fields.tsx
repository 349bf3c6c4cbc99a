import { Plus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button, IconButton } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { ENV_NAME } from './parse.ts'
import { t } from './texts.ts'

export interface Variable {
  /** React key of the row. */
  key: number
  name: string
  value: string
  /** Defined by the template: the name cannot be changed. */
  fixed: boolean
  secret: boolean
  /** Exists already; its value is not shown. */
  existing?: boolean
}

/** Problem of a variable's name. Empty rows are ignored. */
export function envProblem(rows: readonly Variable[], row: Variable): 'wrong' | 'twice' | undefined {
  if (row.name === '' && row.value === '') return undefined
  if (!ENV_NAME.test(row.name)) return 'wrong'
  return rows.some((other) => other.key !== row.key && other.name === row.name) ? 'twice' : undefined
}

/** Environment variables of a program. */
export function EnvFields({
  rows,
  onChange,
  checked,
  intro,
}: {
  rows: readonly Variable[]
  onChange: (rows: Variable[]) => void
  checked: boolean
  intro?: string
}) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const change = (key: number, part: Partial<Variable>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const add = () => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1
    // At once, or the first letters typed after the click would be lost.
    flushSync(() => onChange([...rows, { key, name: '', value: '', fixed: false, secret: false }]))
    list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t.deploy.env}</legend>
      {intro && rows.length > 0 && <p className="mb-2 text-sm text-muted">{intro}</p>}
      {rows.length === 0 && <p className="mb-2 text-sm text-muted">{t.deploy.envNone}</p>}
      <ul ref={list} className="grid gap-2">
        {rows.map((row) => {
          const problem = checked ? envProblem(rows, row) : undefined
          const hint = `${id}-${row.key}`
          return (
            <li
              key={row.key}
              className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-x-2 gap-y-1"
            >
              <input
                aria-label={t.deploy.envName}
                placeholder={t.deploy.envName}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                readOnly={row.fixed || row.existing}
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem || row.secret ? hint : undefined}
                className={`${inputClass} font-mono text-sm read-only:bg-sunken`}
                value={row.name}
                onChange={(event) => change(row.key, { name: event.target.value.trim() })}
              />
              <input
                aria-label={`${t.deploy.envValue} ${row.name}`}
                placeholder={row.existing ? t.settings.keep : t.deploy.envValue}
                autoComplete="off"
                spellCheck={false}
                className={`${inputClass} font-mono text-sm`}
                value={row.value}
                onChange={(event) => change(row.key, { value: event.target.value })}
              />
              {row.fixed ? (
                <span className="size-9" />
              ) : (
                <IconButton
                  label={t.deploy.envRemove(row.name)}
                  onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
                >
                  <X aria-hidden className="size-4" />
                </IconButton>
              )}
              {(problem || row.secret) && (
                <p id={hint} className={`col-span-full text-sm ${problem ? 'text-danger' : 'text-muted'}`}>
                  {problem === 'twice' ? t.deploy.envTwice : problem ? t.deploy.envWrong : t.deploy.envSecret}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <Button look="ghost" className="mt-2 -ml-2" icon={<Plus aria-hidden className="size-4" />} onClick={add}>
        {t.deploy.envAdd}
      </Button>
    </fieldset>
  )
}
