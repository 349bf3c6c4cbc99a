import { Languages, Moon, Sun } from 'lucide-react'
import { lang, switchLang, t } from '../../lib/texts.ts'
import { chooseTheme, useTheme } from '../../lib/theme.ts'
import { buttonClass, iconButtonClass } from '../../ui/button.tsx'
import { Menu, MenuChoice } from '../../ui/menu.tsx'

export function LanguageMenu() {
  return (
    <Menu
      label={t.language.label}
      triggerClass={buttonClass('ghost', 'px-2 text-muted')}
      trigger={
        <>
          <Languages aria-hidden className="size-4" />
          <span>{lang === 'cn' ? '中' : 'EN'}</span>
        </>
      }
    >
      <MenuChoice
        label={t.language.label}
        value={lang}
        onChange={switchLang}
        options={[
          { value: 'cn', title: t.language.zh },
          { value: 'en', title: t.language.en },
        ]}
      />
    </Menu>
  )
}

export function ThemeMenu() {
  const theme = useTheme()
  return (
    <Menu
      label={t.theme.label}
      triggerClass={iconButtonClass()}
      trigger={
        <>
          <Sun aria-hidden className="size-4 dark:hidden" />
          <Moon aria-hidden className="hidden size-4 dark:block" />
        </>
      }
    >
      <MenuChoice
        label={t.theme.label}
        value={theme}
        onChange={chooseTheme}
        options={[
          { value: 'system', title: t.theme.system },
          { value: 'light', title: t.theme.light },
          { value: 'dark', title: t.theme.dark },
        ]}
      />
    </Menu>
  )
}
