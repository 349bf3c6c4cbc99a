import { Dialog } from '@base-ui/react/dialog'
import { type LucideIcon, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { takeTyped } from '../../lib/typed-ahead.ts'
import { classes } from '../../ui/classes.ts'
import type { Entry } from './entries.ts'
import { type Choice, GROUPS, type PalettePage, useChoices } from './palette-choices.ts'
import { t } from './texts.ts'
import { EntryIcon } from './thumbnail.tsx'

/** The command palette: pages, common actions, and files by name. */
export function Palette({ pages, onClose }: { pages: readonly PalettePage[]; onClose: () => void }) {
  const [text, setText] = useState('')
  // Text typed while the palette was loading.
  useEffect(() => setText((before) => before + takeTyped()), [])
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const { choices, isSearching } = useChoices(text, pages)
  const index = Math.min(at, Math.max(0, choices.length - 1))
  const chosen = choices[index]
  useEffect(() => {
    if (chosen) list.current?.querySelector(`[data-choice="${index}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [index, chosen])

  const run = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    choice.act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = index + step
      setAt(
        Math.abs(step) === 1
          ? (next + choices.length) % Math.max(1, choices.length)
          : Math.min(choices.length - 1, Math.max(0, next)),
      )
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(chosen)
    }
  }
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-shade" />
        <Dialog.Popup className="fixed inset-x-3 top-[10vh] z-50 mx-auto flex max-h-[75dvh] max-w-xl flex-col overflow-hidden rounded-2xl border border-line bg-surface shadow-raised outline-none">
          <Dialog.Title className="sr-only">{t.palette.title}</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Search aria-hidden className="size-4.5 shrink-0 text-muted" />
            <input
              // biome-ignore lint/a11y/noAutofocus: the palette is opened to type
              autoFocus
              role="combobox"
              aria-expanded
              aria-controls={`${id}-list`}
              aria-activedescendant={chosen ? `${id}-${index}` : undefined}
              aria-label={t.palette.placeholder}
              placeholder={t.palette.placeholder}
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
              className="min-h-13 min-w-0 flex-1 bg-transparent text-base outline-none"
            />
          </div>
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={t.palette.title} className="overflow-y-auto p-2">
            <Groups id={id} choices={choices} index={index} onPoint={setAt} onRun={run} />
            {choices.length === 0 && (
              <p className="px-3 py-6 text-center text-sm text-muted">
                {isSearching ? t.palette.searching : t.palette.none}
              </p>
            )}
          </div>
          <p className="border-t border-line px-4 py-2 text-xs text-muted">{t.palette.hint}</p>
          <Dialog.Close className="sr-only">{shell.words.close}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface GroupsProps {
  id: string
  choices: readonly Choice[]
  /** Index of the highlighted choice, which Enter runs. */
  index: number
  onPoint: (index: number) => void
  onRun: (choice: Choice) => void
}

/** The choices by group, with headings. */
function Groups({ id, choices, index, onPoint, onRun }: GroupsProps) {
  return GROUPS.map((group) => {
    const some = choices.filter((choice) => choice.group === group)
    if (some.length === 0) return null
    return (
      // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
      <div key={group} role="group" aria-label={t.palette[group]}>
        <p aria-hidden className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
          {t.palette[group]}
        </p>
        {some.map((choice) => {
          const place = choices.indexOf(choice)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and refers to the option
            <div
              key={choice.id}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === index}
              data-choice={place}
              onClick={() => onRun(choice)}
              onPointerMove={() => onPoint(place)}
              className={classes(
                'flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 text-sm',
                place === index && 'bg-sunken',
              )}
            >
              <ChoiceIcon icon={choice.icon} />
              <span className="min-w-0 flex-1 truncate">{choice.title}</span>
              {choice.note && <span className="max-w-[45%] truncate text-xs text-muted">{choice.note}</span>}
            </div>
          )
        })}
      </div>
    )
  })
}

function ChoiceIcon({ icon }: { icon: LucideIcon | Entry }) {
  if ('key' in icon) return <EntryIcon entry={icon as Entry} className="size-4.5" />
  const Icon = icon as LucideIcon
  return <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
}
