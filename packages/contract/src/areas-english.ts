/** The English name of an area: its id split into words, with exceptions. */
export const englishArea = (id: string): string =>
  id === 'Turkey' ? 'Türkiye' : id.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
