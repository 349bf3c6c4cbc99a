/** Splits a command line into arguments like a shell, with quotes and backslashes. */
export function splitCommand(line: string): string[] {
  const words: string[] = []
  let word = ''
  let open = false
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const sign = line[index] as string
    const next = line[index + 1]
    if (sign === '\\' && quote !== "'" && next !== undefined && (quote === '' || next === '"' || next === '\\')) {
      word += next
      open = true
      index += 1
    } else if (quote !== '' ? sign === quote : sign === "'" || sign === '"') {
      quote = quote === '' ? sign : ''
      open = true
    } else if (quote === '' && /\s/.test(sign)) {
      if (open) words.push(word)
      word = ''
      open = false
    } else {
      word += sign
      open = true
    }
  }
  return open ? [...words, word] : words
}

/** Joins arguments into a command line, quoted where necessary. */
export const joinCommand = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')

/** Parses `80, 443`; undefined unless all are valid ports, at most 20. */
export function portsOf(text: string): number[] | undefined {
  const parts = text.split(/[\s,，、]+/).filter((part) => part !== '')
  const ports = parts.map(Number)
  const isPort = (port: number, index: number) => /^\d+$/.test(parts[index] ?? '') && port >= 1 && port <= 65_535
  return ports.length <= 20 && ports.every(isPort) ? [...new Set(ports)] : undefined
}

/** An unused name for a program, derived from its template or image. */
export function freeName(base: string, taken: readonly string[]): string {
  const plain =
    base
      .toLowerCase()
      .replace(/^.*\//, '')
      .replace(/[:@].*$/, '')
      .replace(/[^a-z\d-]+/g, '-')
      .replace(/^[^a-z]+/, '')
      .slice(0, 24)
      .replace(/-+$/, '') || 'program'
  for (let count = 1; ; count++) {
    const name = count === 1 ? plain : `${plain}-${count}`
    if (!taken.includes(name)) return name
  }
}

export const NAME = /^[a-z]([a-z\d-]{0,28}[a-z\d])?$/
export const IMAGE = /^[a-zA-Z\d][\w.:/@-]{0,299}$/
export const ENV_NAME = /^[A-Za-z_][\w.-]{0,99}$/
