import { Languages, Moon, Sun } from 'lucide-react'
import { lang, t } from '../../lib/texts.ts'
import { buttonClass, iconButtonClass } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'

/** Contents of the header panels, loaded when one is about to open. */
export const panels = () => import('./panels.tsx')

export function LanguageMenu() {
  return (
    <Disclosure
      label={t.language.label}
      triggerClass={buttonClass('ghost', 'px-2 text-muted')}
      trigger={
        <>
          <Languages aria-hidden className="size-4" />
          <span className="max-[22.5rem]:hidden">{lang === 'cn' ? '中' : 'EN'}</span>
        </>
      }
      load={panels}
    >
      {({ LanguageChoices }) => <LanguageChoices />}
    </Disclosure>
  )
}

export function ThemeMenu() {
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
      load={panels}
    >
      {({ ThemeChoices }, close) => <ThemeChoices onChosen={close} />}
    </Disclosure>
  )
}
