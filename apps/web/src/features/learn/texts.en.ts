export const texts = {
  eyebrow: 'Learn',
  intro: {
    BASICS: 'How the network works: content IDs, copies, audits, repair, sharing and encryption.',
    NEWS: 'What we built and measured, with figures that you can reproduce.',
    CASES: 'Complete examples with commands that you can run as they are.',
  },
  title: { BASICS: 'Basics', NEWS: 'News', CASES: 'Cases' },
  kinds: 'Article types',
  minutes: (count: number) => `${count} min read`,
  contents: 'On this page',
  back: 'All articles',
  next: 'Read next',
  missingTitle: 'Article not found',
  missingText: 'It may have been renamed. All articles are listed on the Learn page.',
  failed: 'The article could not be loaded',
  copyCode: 'Copy code',
  none: 'No articles of this type yet.',
}

export type Texts = typeof texts
