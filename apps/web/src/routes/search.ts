/** What an address carries after `?`. A key that a route leaves out stays as it came: what will not do has to become undefined. */
export type Search = Record<string, unknown>

export const text = (search: Search, key: string): string | undefined => {
  const value = search[key]
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}

export const count = (search: Search, key: string): number | undefined => {
  const value = Number(search[key])
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

export const oneOf = <T extends string>(search: Search, key: string, values: readonly T[]): T | undefined =>
  values.find((value) => value === search[key])
