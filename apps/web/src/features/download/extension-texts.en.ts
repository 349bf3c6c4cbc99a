export const texts = {
  leaving: 'Redirecting. This takes a moment.',
  now: 'Go there now',
}

export type Texts = typeof texts
