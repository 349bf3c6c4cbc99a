/** Names to try, from the given number on: the name itself, then `report (2).pdf`, and so on. @param max characters */
export const candidates = (
  name: string,
  max: number,
  isFolder: boolean,
  { from, count }: { from: number; count: number },
): string[] =>
  Array.from({ length: count }, (_, index) => (from + index === 1 ? name : numbered(name, from + index, max, isFolder)))

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
