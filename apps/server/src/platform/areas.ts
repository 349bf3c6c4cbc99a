/** What clients send for "wherever it fits". */
export const EVERYWHERE = 'Public'

/** The areas a caller names, as we keep them: the country segment of an area id, sorted; none means everywhere. */
export function readAreas(...lists: (readonly string[] | undefined)[]): string[] {
  const countries = lists.flatMap((list) => list ?? []).map((area) => area.split('-')[1] ?? area)
  return countries.includes(EVERYWHERE) || countries.includes('公共') ? [] : [...new Set(countries)].sort()
}
