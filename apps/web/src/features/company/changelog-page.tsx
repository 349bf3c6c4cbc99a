import { text } from './changelog-text.ts'
import { ProsePage } from './prose-page.tsx'
import { t } from './texts.ts'

export function ChangelogPage() {
  return <ProsePage {...t.changelog} contents={t.contents} text={text} onward={['news', 'node', 'developer']} />
}
