import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { CodeBlock } from '../developer/code-block.tsx'
import { Tabs } from '../developer/tabs.tsx'
import { Facts, Guide } from './guide.tsx'
import { t } from './imports-texts.ts'

const WAYS = ['url', 'cid', 's3'] as const

/** How files are brought from elsewhere. */
export function ImportsPage() {
  usePageTitle()
  return (
    <Guide title={t.title} intro={t.intro}>
      <h2 className="mt-10 text-lg font-semibold">{t.begin}</h2>
      <p className="mt-1 mb-3 text-muted">{t.beginText}</p>
      <Tabs
        label={t.begin}
        tabs={WAYS.map((way) => ({
          key: way,
          title: t.ways[way],
          content: (
            <>
              <p className="px-4 pt-3 text-sm text-muted">{t.wayTexts[way]}</p>
              <CodeBlock plain label={t.ways[way]} code={COMMANDS[way]} />
            </>
          ),
        }))}
      />
      <Facts rows={t.facts} />
      <p className="mt-4">
        <Link to="/docs/ipfs" hash="pinning" className="text-accent underline">
          {t.more}
        </Link>
      </p>
    </Guide>
  )
}

const COMMANDS: Record<(typeof WAYS)[number], string> = {
  url: `tidenet import url https://example.org/tides.zip --to /incoming -p
tidenet imports`,
  cid: `tidenet import cid <CID> --to /incoming -p
tidenet imports`,
  s3: `export AWS_ACCESS_KEY_ID=…
export AWS_SECRET_ACCESS_KEY=…
tidenet import s3 https://s3.eu-central-1.amazonaws.com photos --region eu-central-1 --to /copies -p
tidenet imports`,
}
