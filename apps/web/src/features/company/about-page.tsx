import { Button } from '../../ui/button.tsx'
import { openSupport } from '../feedback/support.ts'
import { text } from './about-text.ts'
import { ProsePage } from './prose-page.tsx'
import { t } from './texts.ts'

export function AboutPage() {
  const { write, ...head } = t.about
  return (
    <ProsePage
      {...head}
      contents={t.contents}
      text={text}
      onward={['services', 'basics', 'changelog']}
      actions={
        <Button look="primary" className="min-h-11 px-5" onClick={() => openSupport('contact')}>
          {write}
        </Button>
      }
    />
  )
}
