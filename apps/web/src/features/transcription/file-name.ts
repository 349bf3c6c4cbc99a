/** The file name of a `Content-Disposition` header, in its extended notation (RFC 6266). */
export function nameIn(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  try {
    return decodeURIComponent(encoded ?? '') || 'transcript'
  } catch {
    return 'transcript'
  }
}
