/** Reads one cookie; `undefined` when it is missing or empty. */
export function readCookie(name: string): string | undefined {
  for (const part of document.cookie.split('; ')) {
    const [key, ...rest] = part.split('=')
    if (key === name && rest.length > 0) return decodeURIComponent(rest.join('=')) || undefined
  }
  return undefined
}

/** Writes a cookie of this site for a year. */
export function writeCookie(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore API is missing in some browsers
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax${secure}`
}

/** Removes a cookie from this host and every parent domain, where another site may have set it. */
export function removeCookie(name: string): void {
  const labels = location.hostname.split('.')
  const domains = labels.map((_, index) => labels.slice(index).join('.')).filter((domain) => domain.includes('.'))
  for (const domain of ['', ...domains.map((each) => `; domain=${each}`)]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the CookieStore API is missing in some browsers
    document.cookie = `${name}=; path=/; max-age=0${domain}`
  }
}
