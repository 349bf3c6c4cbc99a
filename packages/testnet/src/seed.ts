/** Someone who can sign in on a fresh network. */
export interface SeededPerson {
  readonly name: string
  /** What to type on the sign-in page, such as an e-mail address. */
  readonly signIn: string
  readonly password?: string
  /** What this person is there to show. */
  readonly note?: string
}

/**
 * Makes the people that a development network starts with; safe to run again on a network that has them.
 * @param url the portal
 * @param databaseUrl the server's database
 * @param data the network's data folder
 */
export async function seedPeople(_url: string, _databaseUrl: string, _data: string): Promise<SeededPerson[]> {
  return []
}
