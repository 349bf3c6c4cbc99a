import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { text } from './introduction-text.ts'
import { ProsePage } from './prose-page.tsx'
import { t } from './texts.ts'

export function IntroductionPage() {
  const { try: tryIt, node, ...head } = t.introduction
  return (
    <ProsePage
      {...head}
      contents={t.contents}
      text={text}
      onward={['network', 'basics', 'services']}
      actions={
        <>
          <Link to="/Upload" className={buttonClass('primary', 'min-h-11 px-5')}>
            {tryIt}
          </Link>
          <Link to="/download" className={buttonClass('secondary', 'min-h-11 px-5')}>
            {node}
          </Link>
        </>
      }
    />
  )
}
