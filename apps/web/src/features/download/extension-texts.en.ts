export const texts = {
  leaving: 'You are being taken there. It takes a moment.',
  now: 'Go there now',
}

export type Texts = typeof texts
