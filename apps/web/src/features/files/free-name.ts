/** The name itself when it is free, otherwise with the lowest number that makes it so: `report (2).pdf`. @param max characters */
export function freeName(name: string, taken: ReadonlySet<string>, max: number, isFolder = false): string {
  const dot = isFolder ? -1 : name.lastIndexOf('.')
  const [stem, ending] = dot > 0 && name.length - dot <= 12 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 2; taken.has(free); number++) {
    const mark = ` (${number})${ending}`
    free =
      [...stem]
        .slice(0, max - [...mark].length)
        .join('')
        .trimEnd() + mark
  }
  return free
}
