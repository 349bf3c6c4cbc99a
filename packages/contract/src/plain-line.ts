// biome-ignore lint/suspicious/noControlCharactersInRegex: matches terminal escape sequences
const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters except tabs
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Removes terminal control sequences from a log line. Of text overwritten with CR, only the last version remains. */
export function plainLine(text: string): string {
  const plain = text.replace(ESCAPE_SEQUENCES, '').replace(/\r+$/, '')
  return plain.slice(plain.lastIndexOf('\r') + 1).replace(CONTROL_CHARACTERS, '')
}
