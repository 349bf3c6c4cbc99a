import { text } from './privacy-text.ts'
import { ProsePage } from './prose-page.tsx'
import { t } from './texts.ts'

export function PrivacyPage() {
  return <ProsePage {...t.privacy} contents={t.contents} text={text} onward={['encryption', 'ask', 'developer']} />
}
