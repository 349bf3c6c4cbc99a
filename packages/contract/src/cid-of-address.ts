/**
 * The CID in what people copy: `ipfs://<CID>`, `/ipfs/<CID>`, or the address of a gateway, with or without a slash at the end.
 * @returns the text itself if it is none of these, or names something below a root: the server refuses it then
 */
export function cidOfAddress(text: string): string {
  const trimmed = text.trim()
  const [, cid] = /^(?:ipfs:\/\/|(?:https?:\/\/[^/?#]+)?\/ipfs\/)([^/?#]+)\/?(?:[?#].*)?$/i.exec(trimmed) ?? []
  return cid ?? trimmed
}
