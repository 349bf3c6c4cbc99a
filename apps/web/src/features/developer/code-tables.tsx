import { type ErrorKey, errors, errorText } from '@tidenet/contract/errors'
import { exampleFacts } from '@tidenet/contract/errors/examples'
import { codes, codeText } from '@tidenet/storage'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { lang } from '../../lib/texts.ts'
import { Tabs } from './tabs.tsx'
import { t } from './texts.ts'

interface Row {
  number: number
  name: string
  text: string
}

const serverErrors = (): Row[] =>
  (Object.keys(errors) as ErrorKey[])
    .map((key) => ({
      number: errors[key].err,
      name: key,
      text: errorText(key, lang, exampleFacts(key)).trim(),
    }))
    .sort((a, b) => a.number - b.number || a.name.localeCompare(b.name))

const sdkCodes = (): Row[] =>
  Object.entries(codes)
    .map(([name, number]) => ({ number, name, text: codeText(number, lang) }))
    .sort((a, b) => a.number - b.number)

/** Searchable tables of all error codes with their messages. */
export function CodeTables() {
  return (
    <Tabs
      label={t.errorsTitle}
      tabs={[
        { key: 'server', title: t.serverErrors, content: <Codes label={t.serverErrors} make={serverErrors} /> },
        { key: 'sdk', title: t.sdkCodes, content: <Codes label={t.sdkCodes} make={sdkCodes} /> },
      ]}
    />
  )
}

function Codes({ label, make }: { label: string; make: () => Row[] }) {
  const [filter, setFilter] = useState('')
  const rows = useMemo(make, [make])
  const matching = rows.filter(({ number, name, text }) =>
    `${number} ${name} ${text}`.toLowerCase().includes(filter.trim().toLowerCase()),
  )
  return (
    <div className="bg-surface">
      <label className="flex items-center gap-2 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-muted" />
        <input
          type="search"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          placeholder={t.filter}
          aria-label={`${t.filter}: ${label}`}
          className="min-h-11 min-w-0 flex-1 bg-transparent text-sm outline-offset-[-2px]"
        />
      </label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="max-h-[32rem] overflow-auto">
        <table className="w-full text-left text-sm">
          <thead className="sticky top-0 bg-surface">
            <tr className="border-b border-line text-muted">
              <th className="px-4 py-2 font-medium">{t.columns.number}</th>
              <th className="hidden px-4 py-2 font-medium sm:table-cell">{t.columns.name}</th>
              <th className="w-full px-4 py-2 font-medium">{t.columns.text}</th>
            </tr>
          </thead>
          <tbody>
            {matching.map(({ number, name, text }) => (
              <tr key={name} className="border-b border-line align-top last:border-0">
                <td className="px-4 py-2 font-mono tabular-nums">{number}</td>
                <td className="hidden px-4 py-2 font-mono text-[0.8125rem] sm:table-cell">{name}</td>
                <td className="px-4 py-2 sm:min-w-56">
                  {text}
                  <span className="block font-mono text-[0.8125rem] text-muted sm:hidden">{name}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {matching.length === 0 && <p className="px-4 py-8 text-center text-sm text-muted">{t.noMatch}</p>}
      </section>
    </div>
  )
}
