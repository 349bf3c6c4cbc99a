/**
 * What the attacks gain today, and the defence that is missing. As soon as the defence holds, the test fails: delete the line then, and move
 * the attack to the table of docs/SECURITY.md.
 */
export const pending: Readonly<Record<string, string>> = {
  'honest nodes that reports gave a bad name': 'reports that count by how often the reporter was right',
}
