export const texts = {
  eyebrow: 'Learn',
  intro: {
    BASICS:
      'How the network works, one idea at a time: names made of bytes, copies, checks, repair, sharing, encryption.',
    NEWS: 'What was built and what was found out on the way, with figures that can be run again.',
    CASES: 'Worked examples with commands that run as they are printed.',
  },
  title: { BASICS: 'Basics', NEWS: 'News', CASES: 'Cases' },
  kinds: 'Kinds of articles',
  minutes: (count: number) => `${count} min read`,
  contents: 'On this page',
  back: 'All articles',
  next: 'Read next',
  missingTitle: 'There is no such article',
  missingText: 'It may have been renamed. All articles are listed on the Learn page.',
  failed: 'The article could not be loaded',
  copyCode: 'Copy code',
  none: 'No articles of this kind yet.',
}

export type Texts = typeof texts
