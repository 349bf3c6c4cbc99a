export const texts = {
  rows: 'Rows per page',
  pageOf: (from: number, to: number, total: number) => `${from}–${to} of ${total.toLocaleString('en')}`,
  previous: 'Previous page',
  next: 'Next page',
}

export type Texts = typeof texts
