export const texts = {
  nameMissing: 'Please enter a name.',
  nameTooLong: (max: number) => `A name has at most ${max} characters.`,
  nameLeft: (used: number, max: number) => `${used} of ${max} characters`,
  nameForbidden: 'A name must not contain / or \\.',
}

export type Texts = typeof texts
