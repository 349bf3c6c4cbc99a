import { Link } from '@tanstack/react-router'
import { query, useQuery } from '../../lib/queries.ts'
import { CopyField } from '../../ui/copy.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { Tabs } from '../developer/tabs.tsx'
import { SAMPLE_PAIR, s3Clients, s3Configurations } from '../docs/s3-clients.ts'
import type { NewKey } from './key.ts'
import { t } from './s3-texts.ts'

type Pair = Pick<NewKey, 'accessKeyId' | 'secretAccessKey'>

/** The S3 access key of a new API key, which is never shown again. */
export function NewS3Access({ accessKeyId, secretAccessKey }: Pair) {
  return (
    <section aria-labelledby="s3-access" className="flex flex-col gap-4 border-t border-line pt-5">
      <div>
        <h3 id="s3-access" className="font-semibold">
          {t.title}
        </h3>
        <p className="mt-1 text-sm text-muted">{t.text}</p>
      </div>
      <div>
        <p className="mb-1 text-sm font-medium">{t.id}</p>
        <CopyField text={accessKeyId} label={t.copyId} />
      </div>
      <div>
        <p className="mb-1 text-sm font-medium">{t.secret}</p>
        <CopyField text={secretAccessKey} label={t.copySecret} />
      </div>
      <S3Examples accessKeyId={accessKeyId} secretAccessKey={secretAccessKey} />
    </section>
  )
}

/** How to use any S3 access key; nothing if this network has no S3 address. */
export function S3Usage() {
  return (
    <div className="mt-6">
      <S3Examples title={t.useTitle} {...SAMPLE_PAIR} />
    </div>
  )
}

/** The S3 address of this network and how clients are configured with it; nothing if it has none. */
function S3Examples({ title, ...pair }: Pair & { title?: string }) {
  const { data } = useQuery({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  if (!data?.s3_url) return null
  const files = s3Configurations(data.s3_url, pair)
  return (
    <div className="grid grid-cols-1 gap-4">
      {title && <h3 className="font-semibold">{title}</h3>}
      <div>
        <p className="mb-1 text-sm font-medium">{t.address}</p>
        <CopyField text={data.s3_url} label={t.copyAddress} />
      </div>
      <Tabs
        label={t.examples}
        tabs={s3Clients.map((client) => ({
          key: client,
          title: t.clients[client],
          content: <CodeBlock plain label={t.configuration(t.clients[client])} code={files[client]} />,
        }))}
      />
      <Link to="/docs/s3" className="inline-flex min-h-7 items-center text-sm text-accent underline">
        {t.more}
      </Link>
    </div>
  )
}
