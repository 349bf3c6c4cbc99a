import { Card } from '../../ui/card.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { PreviewKind } from './kinds.ts'

/** Bytes above which a text fills the compact preview. */
const LONG_TEXT_BYTES = 8 * 1024

/** Height class of a preview, reserved in advance to avoid layout shift. */
export const previewHeightClass = (kind: PreviewKind, size: number): string =>
  kind === 'text' && size > LONG_TEXT_BYTES ? 'h-[28rem]' : kind === 'pdf' ? 'h-[32rem]' : ''

/** Placeholder of a preview while its code loads. */
export const PreviewPlaceholder = ({ kind, size }: { kind: PreviewKind; size: number }) => (
  <Card className="min-w-0 overflow-hidden pt-13 pb-12">
    <div className={previewHeightClass(kind, size)}>
      <Loading />
    </div>
  </Card>
)
