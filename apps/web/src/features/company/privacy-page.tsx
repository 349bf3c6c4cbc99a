import { PageTitle } from '../../ui/page.tsx'
import { usePageTitle } from '../shell/page-title.tsx'

export function PrivacyPage() {
  const title = usePageTitle()
  return <PageTitle title={title} />
}
