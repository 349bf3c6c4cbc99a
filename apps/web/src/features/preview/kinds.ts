/** How a file is shown. Untrusted HTML and SVG could run scripts: HTML is shown as text, SVG as a static image. */
export type PreviewKind =
  | 'image'
  | 'svg'
  | 'video'
  | 'audio'
  | 'pdf'
  | 'table'
  | 'text'
  | 'markdown'
  | 'archive'
  | 'none'

const TYPES: Record<string, [PreviewKind, string]> = {}
const add = (kind: PreviewKind, types: Record<string, string>) => {
  for (const [extensions, type] of Object.entries(types))
    for (const extension of extensions.split(' ')) TYPES[extension] = [kind, type]
}
add('image', {
  png: 'image/png',
  apng: 'image/apng',
  'jpg jpeg jfif': 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
})
add('svg', { svg: 'image/svg+xml' })
add('video', {
  'mp4 m4v': 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
})
add('audio', {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  'oga ogg opus': 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  weba: 'audio/webm',
})
add('pdf', { pdf: 'application/pdf' })
add('table', { csv: 'text/csv', 'tsv tab': 'text/tab-separated-values' })
add('markdown', { 'md markdown mkd': 'text/plain' })
add('archive', { 'zip jar cbz': 'application/zip', tar: 'application/x-tar', 'tgz tar.gz': 'application/gzip' })
add('text', {
  'txt log text rst adoc org tex': 'text/plain',
  'html htm xhtml xml xsl css scss less js mjs cjs jsx ts mts cts tsx vue svelte': 'text/plain',
  'json jsonl ndjson json5 geojson yaml yml toml ini cfg conf env properties lock': 'text/plain',
  'c h cc cpp hpp cs java kt kts go rs py rb php pl lua swift m mm r jl scala clj ex exs erl hs ml dart zig sol':
    'text/plain',
  'sh bash zsh fish ps1 bat cmd sql graphql gql proto csl bib diff patch srt vtt ass': 'text/plain',
  'dockerfile makefile gitignore editorconfig license readme': 'text/plain',
})

/** How a file of this name is shown; names without an extension may be well-known (`Makefile`). */
export function previewKind(name: string): PreviewKind {
  return find(name)?.[0] ?? 'none'
}

/** The media type used to show a file, never one that could run scripts. */
export function previewType(name: string): string {
  return find(name)?.[1] ?? 'application/octet-stream'
}

function find(name: string): [PreviewKind, string] | undefined {
  const lower = name.toLowerCase()
  const ending = lower.endsWith('.tar.gz') ? 'tar.gz' : lower.slice(lower.lastIndexOf('.') + 1)
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
}
