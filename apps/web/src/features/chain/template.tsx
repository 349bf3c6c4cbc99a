import { Fragment, type ReactNode } from 'react'

/** A sentence with placeholders for elements: `{from} sends {amount}`. */
export function Template({ text, parts }: { text: string; parts: Readonly<Record<string, ReactNode>> }) {
  return text.split(/\{(\w+)\}/).map((piece, index) => (
    // Every second piece is the name of a placeholder.
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence never change their order
    <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>
  ))
}
