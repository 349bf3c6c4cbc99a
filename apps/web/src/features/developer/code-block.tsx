import { CopyIcon } from '../../ui/copy.tsx'
import { t } from './texts.ts'

/** A code block with a copy button; long lines scroll. */
export function CodeBlock({ code, label, plain }: { code: string; label: string; plain?: boolean }) {
  return (
    <div className={plain ? 'relative' : 'relative rounded-xl border border-line bg-surface'}>
      <div className="absolute top-1.5 right-1.5 rounded-lg bg-surface">
        <CopyIcon text={code} label={t.copy(label)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="overflow-x-auto">
        <pre className="w-max py-4 pr-14 pl-4">
          <code className="font-mono text-[0.875rem] leading-6">{code}</code>
        </pre>
      </section>
    </div>
  )
}
