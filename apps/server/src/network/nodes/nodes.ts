/** What other modules do with nodes; the table is written by this one. (Its columns on owners are written by `devices`.) */
export {
  type Beat,
  type Beaten,
  deleteNodes,
  findAway,
  holdAway,
  markLost,
  noteNode,
  publicKeyOf,
  putBack,
  takeOut,
  upsertNode,
  writeBeats,
} from './repository.ts'
export {
  findFailing,
  lowerQuality,
  moveQuality,
  noteOutcomes,
  restoreStanding,
  takeForAudit,
} from './standing-repository.ts'
