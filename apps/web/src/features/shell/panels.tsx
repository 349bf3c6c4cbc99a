import { Link } from '@tanstack/react-router'
import { linkTo } from '../../lib/link.ts'
import { lang, switchLang, t } from '../../lib/texts.ts'
import { chooseTheme, useTheme } from '../../lib/theme.ts'
import { classes } from '../../ui/classes.ts'
import { hrefOf, siteMenus } from './menus.ts'

/** The links of a header menu. @param menu index from 0 */
export function Links({ menu, onClose }: { menu: number; onClose: () => void }) {
  const entries = siteMenus()[menu]?.entries ?? []
  return (
    <ul className={entries.length > 4 ? 'grid grid-cols-2 gap-0.5' : 'grid gap-0.5'}>
      {entries.map((entry) => (
        <li key={hrefOf(entry)}>
          <Link
            {...linkTo(hrefOf(entry))}
            onClick={onClose}
            className="block rounded-lg px-3 py-2.5 hover:bg-sunken aria-[current=page]:bg-accent-soft"
            activeOptions={{ exact: true, includeSearch: true }}
          >
            <span className="block text-sm font-medium">{entry.title}</span>
            <span className="block text-sm text-muted">{entry.text}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function LanguageChoices() {
  return (
    <Choices
      value={lang}
      onChange={switchLang}
      options={[
        { value: 'cn', title: t.language.zh },
        { value: 'en', title: t.language.en },
      ]}
    />
  )
}

export function ThemeChoices({ onChosen }: { onChosen: () => void }) {
  const theme = useTheme()
  return (
    <Choices
      value={theme}
      onChange={(choice) => {
        chooseTheme(choice)
        onChosen()
      }}
      options={[
        { value: 'system', title: t.theme.system },
        { value: 'light', title: t.theme.light },
        { value: 'dark', title: t.theme.dark },
      ]}
    />
  )
}

const choiceClass =
  'flex min-h-9 w-full items-center gap-2.5 rounded-lg px-3 text-left text-sm whitespace-nowrap hover:bg-sunken'

/** A list of choices with the current one marked. */
function Choices<T extends string>({
  value,
  options,
  onChange,
}: {
  value: T
  options: readonly { value: T; title: string }[]
  onChange: (value: T) => void
}) {
  return options.map((option) => (
    <button
      key={option.value}
      type="button"
      aria-pressed={option.value === value}
      className={choiceClass}
      onClick={() => onChange(option.value)}
    >
      <span
        aria-hidden
        className={classes('size-2 rounded-full', option.value === value ? 'bg-accent' : 'bg-transparent')}
      />
      {option.title}
    </button>
  ))
}
