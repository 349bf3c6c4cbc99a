import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { CodeBlock } from '../developer/code-block.tsx'
import { portalOrigin } from '../developer/origin.ts'
import { Tabs } from '../developer/tabs.tsx'
import { Guide } from './guide.tsx'
import { mcpConfigurations, quickStarts, quickStartWays } from './quick-starts.ts'
import { t } from './start-texts.ts'

const NEXT = [
  ['api', '/docs/api'],
  ['s3', '/docs/s3'],
  ['ipfs', '/docs/ipfs'],
  ['imports', '/docs/imports'],
  ['developer', '/developer'],
] as const

/** From an API key to a first verified upload, in five ways. */
export function StartPage() {
  usePageTitle()
  const { data } = useQuery({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  const origin = portalOrigin()
  const code = quickStarts(origin, data?.s3_url || 'http://127.0.0.1:8071')
  const mcp = mcpConfigurations(origin)
  return (
    <Guide title={t.title} intro={t.intro} createKey={t.createKey}>
      <h2 className="mt-10 text-lg font-semibold">{t.keyTitle}</h2>
      <p className="mt-1 text-muted">{t.keyText}</p>

      <h2 className="mt-8 mb-3 text-lg font-semibold">{t.uploadTitle}</h2>
      <Tabs
        label={t.uploadTitle}
        tabs={quickStartWays.map((way) => ({
          key: way,
          title: t.ways[way].title,
          content: (
            <>
              <p className="px-4 pt-3 text-sm text-muted">{t.ways[way].text}</p>
              {way === 's3' && data?.s3_url === '' && <p className="px-4 pt-2 text-sm">{t.noS3}</p>}
              <CodeBlock plain label={t.ways[way].title} code={code[way]} />
            </>
          ),
        }))}
      />

      <h2 id="agents" className="mt-10 scroll-mt-24 text-lg font-semibold">
        {t.agentsTitle}
      </h2>
      <p className="mt-1 mb-3 text-muted">{t.agentsText}</p>
      <Tabs
        label={t.agentsTitle}
        tabs={(['local', 'portal'] as const).map((door) => ({
          key: door,
          title: t.doors[door].title,
          content: (
            <>
              <p className="px-4 pt-3 text-sm text-muted">{t.doors[door].text}</p>
              <CodeBlock plain label={t.doors[door].title} code={mcp[door]} />
            </>
          ),
        }))}
      />
      <ul className="mt-4 list-disc pl-5 text-sm text-muted">
        {t.agentFacts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>

      <h2 className="mt-10 text-lg font-semibold">{t.nextTitle}</h2>
      <ul className="mt-2 flex flex-col gap-1">
        {NEXT.map(([page, to]) => (
          <li key={to}>
            <Link to={to} className="text-accent underline">
              {t.next[page]}
            </Link>
          </li>
        ))}
        <li>
          <a href="/llms.txt" className="text-accent underline">
            {t.next.llms}
          </a>
        </li>
      </ul>
    </Guide>
  )
}
