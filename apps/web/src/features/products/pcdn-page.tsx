import { PageTitle } from '../../ui/page.tsx'
import { usePageTitle } from '../shell/page-title.tsx'

export function PcdnPage() {
  const title = usePageTitle()
  return <PageTitle title={title} />
}
