import { Link } from '@tanstack/react-router'
import { shorten } from '../../lib/phrases.ts'

/** Names of nodes by id. */
export type NodeNames = Readonly<Record<string, string>>

/** A node with its details in the explorer. The id is always shown, because operators choose any name. */
export function NodeName({ id, names }: { id: string; names: NodeNames }) {
  const name = names[id]
  return (
    <Link
      to="/storagenetwork"
      search={{ node: id }}
      title={id}
      translate="no"
      className="wrap-anywhere underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {name && <bdi className="font-sans">{name} </bdi>}
      <span className="font-mono">{shorten(id, 10, 6)}</span>
    </Link>
  )
}
