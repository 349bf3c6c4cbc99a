import { Link } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, Empty } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Says that the service does not exist yet. The console's menu has no link here until it does. */
export function MyPcdnPage() {
  const title = usePageTitle()
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} intro={t.pcdnIntro} />
      <Card>
        <Empty icon={<Network aria-hidden className="size-5" />} title={t.pcdnState}>
          <p>{t.pcdnText}</p>
          <p className="mt-2">{t.pcdnToday}</p>
          <p className="mt-4 flex flex-wrap justify-center gap-2">
            <Link to="/fileStorage" className={buttonClass('primary')}>
              {t.pcdnShare}
            </Link>
            <Link to="/pcdn" hash="request" className={buttonClass()}>
              {t.pcdnAsk}
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
