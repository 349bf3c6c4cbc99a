// Parses PostgreSQL's printed statement trees (debug_print_rewritten): `{TYPE :key value …}`, `(lists)`, `<>` for null.

/** Nodes become objects with their type in `is`, lists become arrays, everything else is text. */
export function readTree(text) {
  const tokens = text.match(/[(){}]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}])+/g) ?? []
  let at = 0
  return value()

  function value() {
    const token = tokens[at++]
    if (token === '{') return node()
    if (token === '(') return list()
    return token === '<>' ? undefined : token
  }
  function list() {
    const items = []
    while (tokens[at] !== ')') items.push(value())
    at++
    return items
  }
  function node() {
    const read = { is: tokens[at++] }
    while (tokens[at] !== '}') {
      const key = tokens[at++].slice(1)
      const values = []
      while (tokens[at] !== '}' && !tokens[at].startsWith(':')) values.push(value())
      read[key] = values.length > 1 ? values : values[0]
    }
    at++
    return read
  }
}
