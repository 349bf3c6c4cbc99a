import { Fragment, type ReactNode } from 'react'

/** A sentence with parts that are more than words: `{from} sends {amount}`. */
export function Words({ text, parts }: { text: string; parts: Readonly<Record<string, ReactNode>> }) {
  return text.split(/\{(\w+)\}/).map((piece, index) => (
    // Every second piece is the name of a part.
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence never change places
    <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>
  ))
}
