/**
 * What the attacks gain today, and the defence that is missing. As soon as the defence holds, the test fails: delete the line then, and move
 * the attack to the table of docs/SECURITY.md.
 */
export const pending: Readonly<Record<string, string>> = {}
