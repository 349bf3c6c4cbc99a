import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { classes } from '../../ui/classes.ts'

export interface Tab {
  key: string
  title: string
  content: ReactNode
}

/** Tabs; arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, inside = false }: { label: string; tabs: readonly Tab[]; inside?: boolean }) {
  const id = useId()
  const [selected, setSelected] = useState(tabs[0]?.key)
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find(({ key }) => key === selected) ?? tabs[0]

  const moveFocus = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ key }) => key === current?.key)
    const to =
      event.key === 'ArrowRight'
        ? (at + 1) % tabs.length
        : event.key === 'ArrowLeft'
          ? (at + tabs.length - 1) % tabs.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? tabs.length - 1
              : -1
    if (to < 0) return
    event.preventDefault()
    setSelected(tabs[to]?.key)
    list.current?.querySelectorAll('button')[to]?.focus()
  }

  return (
    <div className={classes(!inside && 'overflow-hidden rounded-xl border border-line bg-surface')}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={moveFocus}
        className={classes('flex gap-1 overflow-x-auto border-b border-line px-2', !inside && 'bg-sunken/60')}
      >
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === current?.key}
            aria-controls={`${id}-panel`}
            tabIndex={key === current?.key ? 0 : -1}
            onClick={() => setSelected(key)}
            className={classes(
              '-mb-px min-h-10 border-b-2 px-3 text-sm font-medium whitespace-nowrap',
              key === current?.key ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {title}
          </button>
        ))}
      </div>
      <div key={current?.key} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current?.key}`}>
        {current?.content}
      </div>
    </div>
  )
}
