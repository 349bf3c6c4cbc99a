/** The name itself if it is free, otherwise with the lowest number that makes it free: `report (2).pdf`. @param max characters */
export function freeName(name: string, taken: ReadonlySet<string>, max: number, isFolder = false): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : numbered(name, number, max, isFolder)
    if (!taken.has(candidate)) return candidate
  }
}

/** The first names that `freeName` tries. */
export const candidates = (name: string, max: number, isFolder: boolean, count: number): string[] => [
  name,
  ...Array.from({ length: count - 1 }, (_, index) => numbered(name, index + 2, max, isFolder)),
]

function numbered(name: string, number: number, max: number, isFolder: boolean): string {
  const dot = isFolder ? -1 : name.lastIndexOf('.')
  const [stem, ending] = dot > 0 && name.length - dot <= 12 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const mark = ` (${number})${ending}`
  return (
    [...stem]
      .slice(0, max - [...mark].length)
      .join('')
      .trimEnd() + mark
  )
}
