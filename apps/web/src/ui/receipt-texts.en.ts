export const texts = {
  receipt: 'Receipt',
  /** For screen readers, because a page has several of these buttons. */
  receiptOf: (what: string) => `Receipt: ${what}`,
  saved: 'Receipt saved',
}

export type Texts = typeof texts
