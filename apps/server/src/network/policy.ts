/** The defences against hostile nodes. Only tests turn one off, to show what it prevents. */
export interface Policy {
  /** Edges count only after they were vetted; before, they hold trial copies and are few of the sources. */
  vetting: boolean
  /** Copies and sources per network and per owner are limited. */
  caps: boolean
  /** Nodes are chosen by what others measured; without it, also by what they report about themselves. */
  measured: boolean
}

export const DEFENDED: Policy = { vetting: true, caps: true, measured: true }
