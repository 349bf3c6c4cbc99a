import { Languages, Moon, Sun } from 'lucide-react'
import { lang, switchLang, t } from '../../lib/texts.ts'
import { chooseTheme, useTheme } from '../../lib/theme.ts'
import { buttonClass, iconButtonClass } from '../../ui/button.tsx'
import { Choices, Disclosure } from '../../ui/disclosure.tsx'

export function LanguageMenu() {
  return (
    <Disclosure
      label={t.language.label}
      triggerClass={buttonClass('ghost', 'px-2 text-muted')}
      trigger={
        <>
          <Languages aria-hidden className="size-4" />
          <span>{lang === 'cn' ? '中' : 'EN'}</span>
        </>
      }
    >
      {() => (
        <Choices
          value={lang}
          onChange={switchLang}
          options={[
            { value: 'cn', title: t.language.zh },
            { value: 'en', title: t.language.en },
          ]}
        />
      )}
    </Disclosure>
  )
}

export function ThemeMenu() {
  const theme = useTheme()
  return (
    <Disclosure
      label={t.theme.label}
      triggerClass={iconButtonClass()}
      trigger={
        <>
          <Sun aria-hidden className="size-4 dark:hidden" />
          <Moon aria-hidden className="hidden size-4 dark:block" />
        </>
      }
    >
      {(close) => (
        <Choices
          value={theme}
          onChange={(choice) => {
            chooseTheme(choice)
            close()
          }}
          options={[
            { value: 'system', title: t.theme.system },
            { value: 'light', title: t.theme.light },
            { value: 'dark', title: t.theme.dark },
          ]}
        />
      )}
    </Disclosure>
  )
}
