import { toBase64, toHex, utf8 } from './bytes.ts'
import { hashLeaf } from './merkle.ts'
import type { Verification } from './verify.ts'

/**
 * What several valid receipts say about each other. `same_id` and `same_index`: two different receipts with one number, so the network signed
 * two versions. `forked_log`: two trees of one size. `repeated`: the same receipt twice, which counts once. `replaced`: a later receipt of the
 * same transfer exists; only that one counts.
 */
export type RelationKind = 'same_id' | 'same_index' | 'forked_log' | 'repeated' | 'replaced'

export interface Relation {
  kind: RelationKind
  /** Positions in the list; of `replaced`, the one that counts is last. */
  files: [number, number]
}

/** Relations that no honest network and nobody who counts receipts accepts. */
export const isContradiction = ({ kind }: Relation): boolean => kind !== 'replaced'

/** Compares receipts of one key. Receipts that are invalid themselves are left out: they prove nothing about others. */
export function compareReceipts(list: readonly Verification[]): Relation[] {
  const relations: Relation[] = []
  /** The first file of each value. */
  const seen = new Map<string, { at: number; value: string }>()
  const relate = (kind: RelationKind, key: string, value: string, at: number) => {
    const first = seen.get(`${kind} ${key}`)
    if (!first) seen.set(`${kind} ${key}`, { at, value })
    else if (first.value !== value) relations.push({ kind, files: [first.at, at] })
  }
  list.forEach(({ result, file, claims, checkpoint }, at) => {
    if (result === 'invalid' || !file || !claims || !checkpoint) return
    const log = `${file.key} ${claims.iss}`
    const leaf = toHex(hashLeaf(utf8(file.receipt)))
    const earlier = seen.get(`leaf ${leaf}`)
    if (earlier) relations.push({ kind: 'repeated', files: [earlier.at, at] })
    else seen.set(`leaf ${leaf}`, { at, value: leaf })
    relate('same_id', `${log} ${claims.id}`, leaf, at)
    relate('same_index', `${log} ${claims.index}`, leaf, at)
    relate('forked_log', `${log} ${checkpoint.size}`, toBase64(checkpoint.root), at)
    if (claims.kind !== 'download' || earlier) return
    const transfer = `transfer ${log} ${claims.trace} ${claims.node}`
    const other = seen.get(transfer)
    const isNewer = !other || Number(other.value) < claims.id
    if (other) relations.push({ kind: 'replaced', files: isNewer ? [other.at, at] : [at, other.at] })
    if (isNewer) seen.set(transfer, { at, value: String(claims.id) })
  })
  return relations
}
