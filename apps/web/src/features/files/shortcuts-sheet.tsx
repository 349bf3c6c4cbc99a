import { Dialog } from '../../ui/dialog.tsx'
import { t } from './texts.ts'

const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform)

/** A list of all keyboard shortcuts. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const ctrl = isMac() ? '⌘' : 'Ctrl'
  const s = t.shortcuts
  const groups: [string, [string[], string][]][] = [
    [
      s.anywhere,
      [
        [[ctrl, 'K'], s.palette],
        [['?'], s.help],
        [['/'], s.search],
        [['U'], s.upload],
        [['N'], s.newFolder],
        [['G'], s.layout],
        [['Backspace'], s.up],
      ],
    ],
    [
      s.list,
      [
        [['↑', '↓'], s.move],
        [['Shift', '↑', '↓'], s.extend],
        [['Space'], s.toggle],
        [[ctrl, 'A'], s.all],
        [['Esc'], s.clear],
        [['Enter'], s.open],
        [['Shift', 'F10'], s.menu],
        [['I'], s.details],
        [['F2'], s.rename],
        [['M'], s.cut],
        [['Delete'], s.remove],
      ],
    ],
    [
      s.inPreview,
      [
        [['←', '→'], s.beside],
        [['+', '-'], s.zoom],
        [['0'], s.fit],
        [['Esc'], s.close],
      ],
    ],
  ]
  return (
    <Dialog open wide onClose={onClose} title={s.title}>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3 className="mb-2 text-sm font-semibold">{title}</h3>
            <dl className="divide-y divide-line">
              {keys.map(([combination, what]) => (
                <div key={what} className="flex items-center justify-between gap-4 py-1.5 text-sm">
                  <dt className="text-muted">{what}</dt>
                  <dd className="flex gap-1">
                    {combination.map((key) => (
                      <kbd
                        key={key}
                        className="inline-flex min-w-6 items-center justify-center rounded-md border border-line bg-sunken px-1.5 py-px font-mono text-xs"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
