import { Fragment } from 'react'
import { classes } from '../../ui/classes.ts'
import { type Match, pieces } from './find.ts'

/** A text with what was found in it. @param current index of the match that is shown now */
export function Marked({
  text,
  matches,
  current,
}: {
  text: string
  matches: readonly (Match & { index: number })[]
  current?: number
}) {
  if (matches.length === 0) return text
  return pieces(text, matches).map((piece, at) =>
    piece.match === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
      <Fragment key={at}>{piece.text}</Fragment>
    ) : (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
        key={at}
        data-match={piece.match}
        className={classes(
          'rounded-sm',
          piece.match === current ? 'bg-accent text-on-accent' : 'bg-signal-soft text-text',
        )}
      >
        {piece.text}
      </mark>
    ),
  )
}
