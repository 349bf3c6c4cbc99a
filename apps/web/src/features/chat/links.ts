/** A piece of a message: text, or a link. */
export type Piece = { text: string; href?: undefined } | { text: string; href: string }

const ADDRESS = /https?:\/\/[^\s<>"'`，。；：！？、（）“”‘’《》【】]+/giu
/** Punctuation after an address ends the sentence, and is no part of the address. */
const AFTER = /[.,;:!?]+$/u

/** Splits a message at its http and https addresses. Everything else stays text, whatever it looks like. */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimmed(match[0])
    const href = parse(address)
    if (!href) continue
    if (match.index > from) pieces.push({ text: text.slice(from, match.index) })
    pieces.push({ text: address, href })
    from = match.index + address.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}

function trimmed(address: string): string {
  const cut = address.replace(AFTER, '')
  // "(see https://example.org/a)" ends before the bracket, "https://example.org/a_(b)" after it.
  return cut.endsWith(')') && !cut.includes('(') ? trimmed(cut.slice(0, -1)) : cut
}

/** Addresses with a user name look like another host: `https://bank.example@evil.example`. */
function parse(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.username || url.password ? undefined : url.href
}
