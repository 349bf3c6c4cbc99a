/** Clients send this for "anywhere". */
export const EVERYWHERE = 'Public'

/** The requested areas as we store them: country segments of area ids, sorted. Empty: everywhere. */
export function readAreas(...lists: (readonly string[] | undefined)[]): string[] {
  const countries = lists.flatMap((list) => list ?? []).map((area) => area.split('-')[1] ?? area)
  return countries.includes(EVERYWHERE) || countries.includes('公共') ? [] : [...new Set(countries)].sort()
}
