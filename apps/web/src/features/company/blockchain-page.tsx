import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { text } from './blockchain-text.ts'
import { ProsePage } from './prose-page.tsx'
import { t } from './texts.ts'

export function BlockchainPage() {
  const { containers, explorer, ...head } = t.blockchain
  return (
    <ProsePage
      {...head}
      contents={t.contents}
      text={text}
      onward={['containers', 'introduction', 'developer']}
      actions={
        <>
          <Link to="/tc2" className={buttonClass('primary', 'min-h-11 px-5')}>
            {containers}
          </Link>
          <Link to="/chain" className={buttonClass('secondary', 'min-h-11 px-5')}>
            {explorer}
          </Link>
        </>
      }
    />
  )
}
