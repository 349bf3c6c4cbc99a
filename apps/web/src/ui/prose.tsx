/** Long texts, made from Markdown of this repository at build. `html` must not come from anybody else. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made from our own files at build
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
