import { lang } from '../../lib/texts.ts'
import type { ProseText } from './prose-page.tsx'

/** The release log of this repository, in this page's language. */
export const text: ProseText =
  lang === 'cn' ? await import('../../../../../CHANGELOG.zh.md') : await import('../../../../../CHANGELOG.md')
