import type { ConsoleWorkspace } from '@tidenet/contract'
import { t } from './texts.ts'

type Named = Pick<ConsoleWorkspace, 'id' | 'cluster'>

/** The start of the ID tells workspaces of one region apart; the command line accepts it, too. */
const startOf = ({ id }: Named): string => id.slice(0, 8)

/** `Distributed · 3f9a2c1b` */
export const spaceName = (space: Named): string => `${t.region[space.cluster]} · ${startOf(space)}`

/** As `spaceName`, for headings. */
export const SpaceName = ({ space }: { space: Named }) => (
  <span>
    {t.region[space.cluster]}{' '}
    <span className="font-mono text-[0.9em] font-normal text-muted" translate="no">
      {startOf(space)}
    </span>
  </span>
)
