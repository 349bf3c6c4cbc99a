/** An address as its parts; undefined when it is none. (`URL.parse` came to Node after the oldest version that we run on.) */
export const readUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined
