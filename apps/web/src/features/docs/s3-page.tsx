import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { CopyField } from '../../ui/copy.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { portalOrigin } from '../developer/origin.ts'
import { Tabs } from '../developer/tabs.tsx'
import { Facts, Guide } from './guide.tsx'
import { SAMPLE_PAIR, s3Clients, s3Configurations } from './s3-clients.ts'
import { t } from './s3-texts.ts'

/** How S3 clients are configured, and what they see. */
export function S3Page() {
  usePageTitle()
  const { data } = useQuery({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  const files = s3Configurations(data?.s3_url || 'http://127.0.0.1:8071', SAMPLE_PAIR)
  return (
    <Guide title={t.title} intro={t.intro} createKey={t.createKey}>
      <h2 className="mt-10 text-lg font-semibold">{t.connect}</h2>
      {data?.s3_url && (
        <div className="mt-3">
          <p className="mb-1 text-sm font-medium">{t.endpoint}</p>
          <CopyField text={data.s3_url} label={t.copyEndpoint} />
        </div>
      )}
      {data && !data.s3_url && (
        <div className="mt-3 grid grid-cols-1 gap-3">
          <p className="text-muted">{t.noEndpoint}</p>
          <CodeBlock label={t.ownGateway} code={ownGateway(portalOrigin())} />
        </div>
      )}
      <Facts rows={t.settings} />

      <h2 className="mt-10 mb-3 text-lg font-semibold">{t.clients}</h2>
      <Tabs
        label={t.clients}
        tabs={s3Clients.map((client) => ({
          key: client,
          title: t.clientNames[client],
          content: <CodeBlock plain label={t.configuration(t.clientNames[client])} code={files[client]} />,
        }))}
      />

      <h2 className="mt-10 text-lg font-semibold">{t.files}</h2>
      <Facts rows={t.facts} />

      <h2 className="mt-10 text-lg font-semibold">{t.limits}</h2>
      <Facts rows={t.limitRows} />
      <p className="mt-4 text-sm text-muted">{t.missing}</p>
    </Guide>
  )
}

const ownGateway = (server: string) => `export TIDENET_SERVER=${server}
export TIDENET_S3_PORT=8071
export TIDENET_S3_ACCESS_KEY_ID=${SAMPLE_PAIR.accessKeyId}
export TIDENET_S3_SECRET_ACCESS_KEY=${SAMPLE_PAIR.secretAccessKey}
node apps/s3/dist/main.js`
