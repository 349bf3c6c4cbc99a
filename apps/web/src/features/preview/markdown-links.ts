/** The address of a link in a document, if it leads to a web page or an e-mail address; undefined for others, such as `javascript:`. */
export function addressIn(href: string): string | undefined {
  try {
    // Relative addresses would lead into the portal.
    const address = new URL(href)
    return ['https:', 'http:', 'mailto:'].includes(address.protocol) ? address.href : undefined
  } catch {
    return undefined
  }
}
