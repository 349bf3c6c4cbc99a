import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Eyebrow, Section } from '../../ui/page.tsx'
import { Onward } from './onward.tsx'
import { t } from './sections-texts.ts'

const program = () => `import { createStorage } from '@tidenet/storage'

// ${t.code.comments.key}
const storage = createStorage({ url, token })

const { data } = await storage.uploadAsset(file, { groupId: 0 })

// ${t.code.comments.link}
const link = await storage.createSharedLink({
  id: data.cid,
  expireAt: 7,
  hasDay: true,
  shortPass: 'tide26',
})
console.log(link.data.url)`

/** A code example of the SDK. */
export function Code() {
  const { eyebrow, title, intro, label, copy, docs, api } = t.code
  const text = program()
  return (
    <Section id="code">
      <div className="grid items-center gap-10 lg:grid-cols-[1fr_1.2fr] lg:gap-16">
        <div>
          <Eyebrow>{eyebrow}</Eyebrow>
          <h2 className="text-2xl leading-tight font-semibold tracking-tight sm:text-[2rem]">{title}</h2>
          <p className="mt-3 text-muted sm:text-[1.0625rem]">{intro}</p>
          <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
            <Link to="/developer" className={buttonClass('secondary', 'min-h-10 px-5')}>
              {docs}
            </Link>
            <Onward to="/docs/api">{api}</Onward>
          </div>
        </div>
        <figure className="min-w-0 overflow-hidden rounded-2xl border border-line bg-surface">
          <figcaption className="flex items-center justify-between border-b border-line py-1.5 pr-2 pl-5 text-sm text-muted">
            {label}
            <CopyIcon text={text} label={copy} />
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
          <section tabIndex={0} aria-label={label} className="overflow-x-auto focus-visible:-outline-offset-2">
            <pre className="w-max px-5 py-4 font-mono text-[0.9375rem] leading-7">
              {text.split('\n').map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text
                <Line key={index} text={line} />
              ))}
            </pre>
          </section>
        </figure>
      </div>
    </Section>
  )
}

/** A line of code with highlighted comments and strings. */
function Line({ text }: { text: string }) {
  if (text.startsWith('//')) return <code className="block text-muted">{text}</code>
  return (
    <code className="block min-h-7">
      {text.split(/('[^']*')/).map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text
          <span key={index} className="text-accent">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </code>
  )
}
