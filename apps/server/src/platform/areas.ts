/** Clients send this for "anywhere". */
export const EVERYWHERE = 'Public'

/** The country of nodes that may be anywhere. */
export const UNKNOWN_COUNTRY = 'Unknown'

/** A country that no node has. */
const NOWHERE = '-'

/** The country of an area id, or the country itself. */
export const countryOfArea = (area: string): string => area.split('-')[1] ?? area

/**
 * The requested areas as we store them: country segments of area ids, sorted. Empty: everywhere. The unknown country cannot be chosen:
 * its nodes may be anywhere.
 */
export function readAreas(...lists: (readonly string[] | undefined)[]): string[] {
  const countries = lists.flatMap((list) => list ?? []).map(countryOfArea)
  if (countries.includes(EVERYWHERE) || countries.includes('公共')) return []
  return [...new Set(countries.map((country) => (country === UNKNOWN_COUNTRY ? NOWHERE : country)))].sort()
}
