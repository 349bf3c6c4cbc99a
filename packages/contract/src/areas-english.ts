/** An area in English: its id in words, but for one that is written otherwise. */
export const englishArea = (id: string): string =>
  id === 'Turkey' ? 'Türkiye' : id.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
