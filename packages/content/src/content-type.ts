/** Media types of files that browsers display; others are binary. Text is UTF-8. */
const TYPES: Record<string, string> = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avi: 'video/x-msvideo',
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  epub: 'application/epub+zip',
  flac: 'audio/flac',
  gif: 'image/gif',
  gz: 'application/gzip',
  heic: 'image/heic',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  log: 'text/plain; charset=utf-8',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rar: 'application/vnd.rar',
  rtf: 'application/rtf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ts: 'video/mp2t',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'text/yaml; charset=utf-8',
  yml: 'text/yaml; charset=utf-8',
  zip: 'application/zip',
  '7z': 'application/x-7z-compressed',
}

/** The media type for a file name's extension; binary by default. */
export function contentType(name: string): string {
  const dot = name.lastIndexOf('.')
  const extension = name.slice(dot + 1).toLowerCase()
  const type = dot >= 0 && Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined
  return type ?? 'application/octet-stream'
}

/**
 * Content-Disposition with a plain name for old clients and the exact one for others (RFC 6266, RFC 8187).
 * Path separators and control characters of the name are replaced.
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are replaced
  const safe = name.replace(/[/\\\u0000-\u001f\u007f]|\p{Surrogate}/gu, '_')
  const plain = safe.replace(/[^ -~]/g, '_').replace(/["%]/g, '_')
  const exact = encodeURIComponent(safe).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === safe ? `${kind}; filename="${plain}"` : `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}
