// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey and a log only shows
const ORDERS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above; tabs stay
const SIGNS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A line without what is meant for terminals: colours, movements of the cursor; of what was overwritten only the last remains. */
export function plainLine(text: string): string {
  const plain = text.replace(ORDERS, '').replace(/\r+$/, '')
  return plain.slice(plain.lastIndexOf('\r') + 1).replace(SIGNS, '')
}
