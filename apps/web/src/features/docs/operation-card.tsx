import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t as shell } from '../../lib/texts.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { Badge } from '../../ui/states.tsx'
import { curlOf, type Operation, outline, type Schema, typeText } from './description.ts'
import { t } from './texts.ts'

const authTexts: Record<Operation['auth'], () => string> = {
  public: () => t.public,
  optional: () => t.optional,
  session: () => t.session,
  key: () => t.key,
  node: () => t.node,
  gateway: () => t.gateway,
}

/** An operation in one line, with expandable details. */
export function OperationCard({ operation }: { operation: Operation }) {
  const [open, setOpen] = useState(false)
  const { id, method, path, summary } = operation
  return (
    <details
      id={id}
      className="group scroll-mt-20 rounded-xl border border-line bg-surface"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex cursor-pointer list-none items-start gap-3 px-4 py-3 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="mt-1 size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className={`font-mono text-xs font-semibold ${method === 'GET' ? 'text-good' : 'text-accent'}`}>
              {method}
            </span>
            <code className="font-mono text-[0.8125rem] break-all">{path}</code>
          </span>
          <span className="block text-sm text-muted">{summary}</span>
        </span>
      </summary>
      {open && <Body operation={operation} />}
    </details>
  )
}

function Body({ operation }: { operation: Operation }) {
  const { parameters, body, answer, aliases, refusals } = operation
  const curl = curlOf(operation, location.origin)
  const fields = Object.entries(body?.properties ?? {})
  return (
    <div className="flex flex-col gap-5 border-t border-line px-4 py-4 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-muted">{t.auth}:</span> {authTexts[operation.auth]()}
      </p>
      {aliases.length > 0 && (
        <ul className="flex flex-col gap-1 font-mono text-[0.8125rem] text-muted">
          {aliases.map((alias) => (
            <li key={alias} className="break-all">
              {alias}
            </li>
          ))}
        </ul>
      )}
      {parameters.length === 0 && fields.length === 0 && <p className="text-muted">{t.none}</p>}
      {parameters.length > 0 && (
        <Part title={t.parameters}>
          <Fields fields={parameters.map(({ name, schema, required }) => ({ name, schema, required }))} />
        </Part>
      )}
      {fields.length > 0 && (
        <Part title={t.body}>
          <Fields
            fields={fields.map(([name, schema]) => ({
              name,
              schema,
              required: body?.required?.includes(name) ?? false,
            }))}
          />
        </Part>
      )}
      {answer && (
        <Part title={t.answer}>
          <Code text={outline(answer)} label={t.answer} />
        </Part>
      )}
      {refusals.length > 0 && (
        <Part title={t.refusals}>
          <p className="flex flex-wrap gap-1.5">
            {refusals.map((refusal) => (
              <Badge key={refusal}>{refusal}</Badge>
            ))}
          </p>
        </Part>
      )}
      <Part title={t.example}>
        <Code text={curl} label={t.example} />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 font-medium">{title}</h3>
      {children}
    </section>
  )
}

function Fields({ fields }: { fields: { name: string; schema: Schema; required: boolean }[] }) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {fields.map(({ name, schema, required }) => (
        <div key={name} className="flex flex-wrap gap-x-3 px-3 py-1.5">
          <dt className="min-w-36 font-mono text-[0.8125rem]">{name}</dt>
          <dd className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-muted">
            <span className="font-mono text-[0.8125rem] wrap-anywhere">{typeText(schema)}</span>
            {required && <span className="text-accent">{t.required}</span>}
            {schema.default !== undefined && <span>= {JSON.stringify(schema.default)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className="relative rounded-lg border border-line bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="overflow-x-auto p-3 pr-12">
        <pre className="font-mono text-[0.8125rem] leading-5">{text}</pre>
      </section>
      <div className="absolute top-1 right-1">
        <CopyIcon text={text} label={`${shell.words.copy}: ${label}`} />
      </div>
    </div>
  )
}
