/** Renders HTML that was compiled from this repository's Markdown. Never pass HTML from another source. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: compiled from our own files at build
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
