import { Card } from '../../ui/card.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { PreviewKind } from './kinds.ts'

/** A text of so many bytes is longer than what is shown of it within another page. */
const LONG = 8 * 1024

/** How much room a look at a file will take: what stands below it is not pushed away when it comes. */
export const roomClass = (kind: PreviewKind, size: number): string =>
  kind === 'text' && size > LONG ? 'h-[28rem]' : kind === 'pdf' ? 'h-[32rem]' : ''

/** Stands where a look at a file will be, until its code has come. */
export const PreviewRoom = ({ kind, size }: { kind: PreviewKind; size: number }) => (
  <Card className="min-w-0 overflow-hidden pt-13 pb-12">
    <div className={roomClass(kind, size)}>
      <Loading />
    </div>
  </Card>
)
