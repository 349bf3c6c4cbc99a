import { Link } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, Empty, Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Domains of the account that the network delivers. */
export function MyPcdnPage() {
  const title = usePageTitle()
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle
        title={title}
        intro={t.pcdnIntro}
        actions={
          <Link to="/pcdn" hash="request" className={buttonClass('primary')}>
            {t.pcdnAsk}
          </Link>
        }
      />
      <Notice tone="warn">
        <p className="font-medium">{t.pcdnState}</p>
        <p className="text-text">{t.pcdnText}</p>
      </Notice>
      <Card className="mt-6">
        <table className="w-full text-left text-sm max-sm:hidden">
          <thead>
            <tr className="border-b border-line text-muted">
              {t.pcdnColumns.map((name) => (
                <th key={name} scope="col" className="px-5 py-3 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        </table>
        <Empty icon={<Network aria-hidden className="size-5" />} title={t.pcdnNone}>
          <p>{t.pcdnToday}</p>
          <p className="mt-4 flex flex-wrap justify-center gap-2">
            <Link to="/fileStorage" className={buttonClass()}>
              {t.pcdnShare}
            </Link>
            <Link to="/pcdn" className={buttonClass('ghost')}>
              {t.pcdnMore}
            </Link>
          </p>
        </Empty>
      </Card>
    </div>
  )
}
