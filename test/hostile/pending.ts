/**
 * What the attacks gain today, and the defence that is missing. As soon as the defence holds, the test fails: delete the line then, and move
 * the attack to the table of docs/SECURITY.md.
 */
export const pending: Readonly<Record<string, string>> = {
  'bytes above the quota of the account': 'a cap of charged traffic for each download, and what is left of the quota',
  'copies of one network above its share': 'limits of copies for each network and owner',
  'honest nodes that one account gave a bad name': 'a limit of reports for each reporter',
  'not noticed: recognise auditors': 'audits that look like downloads',
  'not noticed: send slowly': 'speed that clients and validators measure',
  'uploads offered for a made-up region': 'regions from operators or from the address',
}
