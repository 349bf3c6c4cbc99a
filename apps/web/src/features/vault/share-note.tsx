import { Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Says what visitors of a link get of something encrypted. */
export const ShareNote = () => <Notice tone="warn">{t.share}</Notice>
