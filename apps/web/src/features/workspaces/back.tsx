import { Link } from '@tanstack/react-router'
import type { ConsoleWorkspace } from '@tidenet/contract'
import { ArrowLeft } from 'lucide-react'
import { spaceName } from './space-name.tsx'

/** Link back to the workspace. */
export const BackToSpace = ({ space }: { space: Pick<ConsoleWorkspace, 'id' | 'cluster'> }) => (
  <Link
    to="/console/workspaces/$workspace"
    params={{ workspace: space.id }}
    className="mb-3 inline-flex min-h-8 items-center gap-1.5 self-start rounded text-sm text-muted hover:text-text"
  >
    <ArrowLeft aria-hidden className="size-4" />
    {spaceName(space)}
  </Link>
)
