/** `URL.parse`, which our oldest supported Node does not have. */
export const readUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined
