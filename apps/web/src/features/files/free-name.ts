/** The name itself if it is free, otherwise with the lowest free number: `report (2).pdf`. @param max length in characters */
export function freeName(name: string, taken: ReadonlySet<string>, max: number, isFolder = false): string {
  const dot = isFolder ? -1 : name.lastIndexOf('.')
  const [stem, extension] = dot > 0 && name.length - dot <= 12 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 2; taken.has(free); number++) {
    const suffix = ` (${number})${extension}`
    free =
      [...stem]
        .slice(0, max - [...suffix].length)
        .join('')
        .trimEnd() + suffix
  }
  return free
}
