import type { ComposedFile } from '@tidenet/contract'
import { Card, Notice } from '../../ui/states.tsx'
import { joinCommand } from './parse.ts'
import { formatPart, PARTS } from './sizes.ts'
import { t } from './texts.ts'

/** What a Compose file becomes, and what of it is refused. */
export function ComposePreview({ composed, network }: { composed: ComposedFile; network: boolean }) {
  const { programs, refused, notes } = composed
  return (
    <section aria-label={t.compose.result} className="grid gap-4" aria-live="polite">
      {refused.length > 0 && (
        <Notice tone="bad">
          <p className="font-medium">{t.compose.refused(refused.length)}</p>
          <ul className="mt-2 grid gap-2">
            {refused.map(({ path, reason, detail, size }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              <li key={index}>
                {path && <code className="font-mono text-xs wrap-anywhere">{path}</code>} {t.compose.problem[reason]}
                {detail && <Detail text={detail} />}
                {size && (
                  <span className="block">
                    {PARTS.filter((part) => size.asked[part] > size.left[part])
                      .map((part) =>
                        t.compose.beyond(formatPart(part, size.asked[part]), formatPart(part, size.left[part])),
                      )
                      .join(' ')}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {programs.length > 0 && (
        <Card className="grid gap-4 p-5 sm:p-6">
          <h2 className="font-medium">{t.compose.programs(programs.length)}</h2>
          <p className="text-sm text-muted">{network ? t.compose.byName : t.compose.noNetwork}</p>
          <ul className="grid gap-4">
            {programs.map((program) => (
              <li key={program.name} className="grid gap-1 border-t border-line pt-4 text-sm first:border-0 first:pt-0">
                <p className="font-medium" translate="no">
                  {program.name}
                </p>
                <p className="font-mono text-xs wrap-anywhere">{program.image}</p>
                <p className="text-muted">{PARTS.map((part) => formatPart(part, program[part])).join(' · ')}</p>
                {[...program.entrypoint, ...program.command].length > 0 && (
                  <p className="font-mono text-xs wrap-anywhere">
                    {joinCommand([...program.entrypoint, ...program.command])}
                  </p>
                )}
                {program.ports.length > 0 && <p className="text-muted">{t.deploy.portsOf(t.list(program.ports))}</p>}
                {program.paths.length > 0 && <p className="text-muted">{t.deploy.pathsOf(t.list(program.paths))}</p>}
                {program.env.length > 0 && (
                  <p className="text-muted wrap-anywhere">{t.compose.env(t.list(program.env))}</p>
                )}
                {program.after.length > 0 && <p className="text-muted">{t.compose.after(t.list(program.after))}</p>}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {notes.length > 0 && (
        <Notice tone="warn">
          <p className="font-medium">{t.compose.notes}</p>
          <ul className="mt-2 grid gap-2">
            {notes.map(({ path, reason, detail }) => (
              <li key={`${path} ${reason}`}>
                <code className="font-mono text-xs wrap-anywhere">{path}</code> {t.compose.note[reason]}
                {detail && <Detail text={detail} />}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </section>
  )
}

/** What the file says. */
const Detail = ({ text }: { text: string }) => (
  <span className="block font-mono text-xs wrap-anywhere" translate="no">
    {text}
  </span>
)
