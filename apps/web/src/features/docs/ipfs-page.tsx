import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { CopyField } from '../../ui/copy.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { portalOrigin } from '../developer/origin.ts'
import { Tabs } from '../developer/tabs.tsx'
import { Facts, Guide } from './guide.tsx'
import { t } from './ipfs-texts.ts'

const WAYS = ['curl', 'kubo'] as const

/** How files and folders are published on IPFS, and how clients read them. */
export function IpfsPage() {
  usePageTitle()
  const { data } = useQuery({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  const code = reading(data?.ipfs_url || 'http://127.0.0.1:8072')
  return (
    <Guide title={t.title} intro={t.intro}>
      <h2 className="mt-10 text-lg font-semibold">{t.publish}</h2>
      <p className="mt-1 mb-3 text-muted">{t.publishText}</p>
      <CodeBlock label={t.publishCode} code={PUBLISHING} />
      <Facts rows={t.facts} />

      <h2 className="mt-10 text-lg font-semibold">{t.read}</h2>
      {data && (
        <div className="mt-3">
          {data.ipfs_url ? (
            <>
              <p className="mb-1 text-sm font-medium">{t.gateway}</p>
              <CopyField text={data.ipfs_url} label={t.copyGateway} />
            </>
          ) : (
            <p className="text-muted">{t.noGateway}</p>
          )}
        </div>
      )}
      <div className="mt-3">
        <Tabs
          label={t.read}
          tabs={WAYS.map((way) => ({
            key: way,
            title: t.ways[way],
            content: (
              <>
                <p className="px-4 pt-3 text-sm text-muted">{t.wayTexts[way]}</p>
                <CodeBlock plain label={t.ways[way]} code={code[way]} />
              </>
            ),
          }))}
        />
      </div>

      <h2 className="mt-10 text-lg font-semibold">{t.serves}</h2>
      <Facts rows={t.servesRows} />

      <h2 id="pinning" className="mt-10 scroll-mt-24 text-lg font-semibold">
        {t.into}
      </h2>
      <p className="mt-1 mb-3 text-muted">{t.intoText}</p>
      <CodeBlock label={t.pinning} code={pinning(portalOrigin())} />
    </Guide>
  )
}

const PUBLISHING = `tidenet publish photos
tidenet published
tidenet unpublish photos`

const reading = (gateway: string): Record<(typeof WAYS)[number], string> => ({
  curl: `curl -L ${gateway}/ipfs/<CID>
curl ${gateway}/ipfs/<CID>/pictures/cat.jpg
curl "${gateway}/ipfs/<CID>?format=car" > all.car`,
  kubo: `ipfs config Routing.Type delegated
ipfs config --json Routing.DelegatedRouters '["${gateway}"]'
ipfs config --json HTTPRetrieval.Enabled true
ipfs config --json Provide.Enabled false
ipfs pin add <CID>`,
})

const pinning = (origin: string) => `ipfs pin remote service add tidenet ${origin}/api/pinning/v1 tnk_…
ipfs pin remote add --service=tidenet --name=site <CID>`
