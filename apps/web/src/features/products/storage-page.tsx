import { Link } from '@tanstack/react-router'
import {
  FREE_API_KEYS,
  FREE_DOWNLOAD_TRAFFIC,
  FREE_FOLDERS,
  FREE_STORAGE,
  REPLICA_TARGET,
  SHARE_DOWNLOADS,
  VIP_API_KEYS,
  VIP_DOWNLOAD_TRAFFIC,
  VIP_FOLDERS,
  VIP_STORAGE,
} from '@tidenet/contract/constants'
import example from '../../../../../examples/upload-asset.mjs?raw'
import { formatNumber, formatSize } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Metric } from '../../ui/metric.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { openSupport } from '../feedback/support.ts'
import { uptimeNote } from '../network/uptime.ts'
import { Questions, Reading, StateLine } from './parts.tsx'
import { StorageDrawing } from './storage-drawing.tsx'
import { t } from './storage-texts.ts'
import { useServices } from './use-services.ts'

/** Cloud storage: how it works, plans, code example and limits. */
export function StoragePage() {
  usePageTitle()
  const thirdParty = useServices().data?.third_party
  return (
    <>
      <Hero
        eyebrow={t.eyebrow}
        title={t.title}
        intro={t.intro}
        actions={
          <>
            <Link to="/Upload" className={buttonClass('primary', 'min-h-11 px-5')}>
              {t.try}
            </Link>
            <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('secondary', 'min-h-11 px-5')}>
              {t.signUp}
            </Link>
          </>
        }
        note={<StateLine name="storage">{t.state}</StateLine>}
      >
        <StorageDrawing />
      </Hero>

      <Section title={t.pathTitle} intro={t.pathIntro}>
        <ol className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
          {t.path.map(({ title, text, proof, slug }, index) => (
            <li key={title} className="flex flex-col border-t-2 border-line pt-4">
              <span aria-hidden className="font-mono text-sm text-accent">
                {index + 1}
              </span>
              <h3 className="mt-1 text-lg font-semibold">{title}</h3>
              <p className="mt-1.5 mb-4 text-sm text-muted">{text}</p>
              <Link
                to="/learndetail"
                search={{ slug }}
                className="mt-auto inline-flex min-h-7 items-center text-sm text-accent underline hover:text-accent-strong"
              >
                {proof}
              </Link>
            </li>
          ))}
        </ol>
      </Section>

      <Section sunken title={t.doTitle}>
        <dl className="grid gap-x-12 md:grid-cols-2">
          {t.todo.map(([name, text]) => (
            <div key={name} className="border-t border-line py-5">
              <dt className="font-semibold">{name}</dt>
              <dd className="mt-1 text-sm text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </Section>

      <Section id="plans" title={t.plansTitle} intro={t.plansIntro}>
        <Plans />
        <h3 className="mt-14 mb-6 text-lg font-semibold">{t.claimTitle}</h3>
        <Claims />
      </Section>

      <Section sunken title={t.codeTitle} intro={t.codeIntro}>
        <CodeBlock label={t.codeLabel} code={example.trim()} />
        <div className="mt-5 flex flex-wrap gap-3">
          <Link to="/developer" className={buttonClass('secondary')}>
            {t.toDeveloper}
          </Link>
          <Link to="/docs/api" className={buttonClass('secondary')}>
            {t.toApi}
          </Link>
          <Link to="/download" hash="cli" className={buttonClass('secondary')}>
            {t.toCli}
          </Link>
        </div>
      </Section>

      <Section title={t.notTitle}>
        <ul className="grid gap-x-10 gap-y-8 md:grid-cols-3">
          {[...t.not, ...(thirdParty ? [t.thirdParty[thirdParty]] : [])].map(([name, text]) => (
            <li key={name} className="border-l-2 border-warn pl-5">
              <h3 className="font-semibold">{name}</h3>
              <p className="mt-1 text-sm text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </Section>

      <Reading slugs={['encryption-before-upload', 'share-links', 'photo-archive-backup']} />
      <Questions list={t.questions} />
    </>
  )
}

function Plans() {
  const r = t.rows
  const rows: [string, string, string][] = [
    [r.storage, formatSize(FREE_STORAGE), formatSize(VIP_STORAGE)],
    [r.outflow, formatSize(FREE_DOWNLOAD_TRAFFIC), formatSize(VIP_DOWNLOAD_TRAFFIC)],
    [r.visits, formatNumber(SHARE_DOWNLOADS), t.unlimited],
    [r.folders, formatNumber(FREE_FOLDERS), formatNumber(VIP_FOLDERS)],
    [r.keys, formatNumber(FREE_API_KEYS), formatNumber(VIP_API_KEYS)],
    [r.kept, t.months, t.keptOn],
    [r.copies, t.upTo(REPLICA_TARGET), t.upTo(REPLICA_TARGET)],
    [r.acceleration, t.notIncluded, t.included],
    [r.price, t.nothing, t.ask],
  ]
  return (
    <>
      <div className="overflow-x-auto rounded-2xl border border-line bg-surface">
        <table className="w-full text-left">
          <thead>
            <tr className="border-b border-line">
              <td className="px-4 py-4 sm:px-6" />
              {[t.free, t.vip].map((name) => (
                <th key={name} scope="col" className="px-4 py-4 text-lg font-semibold sm:px-6">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, free, vip]) => (
              <tr key={name} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-4 py-3 font-normal text-muted sm:px-6">
                  {name}
                </th>
                <td className="px-4 py-3 tabular-nums sm:px-6">{free}</td>
                <td className="px-4 py-3 tabular-nums sm:px-6">{vip}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <p className="text-sm text-muted">{t.unit}</p>
        <Button onClick={() => openSupport('contact')}>{t.askButton}</Button>
      </div>
    </>
  )
}

function Claims() {
  const figures = useQuery(query('explorer.figures', {}))
  const { data } = useQuery(query('network.summary', {}))
  return (
    <div className="grid gap-x-10 gap-y-8 md:grid-cols-3">
      <Metric {...t.cheaper} />
      <Metric {...t.uptime} today={null} note={uptimeNote(figures.data)} href="/storagenetwork" />
      <Metric
        value={REPLICA_TARGET}
        what={t.copies.what}
        how={t.copies.how}
        today={data ? t.copies.upTo(Math.min(REPLICA_TARGET, data.online_node_count)) : null}
        href="/storagenetwork"
      />
    </div>
  )
}
