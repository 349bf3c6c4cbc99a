/** What an address has brought along, kept until the page takes it; the address itself no longer has it. */
export interface Arrival {
  account: string
  /** Opens the console by itself, once. */
  ticket: string
  /** A password waits for its owner to go on: a link of somebody else's must not sign anybody in. */
  password: string
}

const TICKET = 'tnt_'
let arrived: Arrival | undefined

/** Reads account and ticket of an address. @returns whether there was anything that has to leave the address */
export function arrive(search: string): boolean {
  const given = new URLSearchParams(search)
  const account = given.get('account') ?? ''
  const secret = given.get('ticket') ?? given.get('password') ?? ''
  if (account === '' && secret === '') return false
  const isTicket = secret.startsWith(TICKET)
  arrived = { account, ticket: isTicket ? secret : '', password: isTicket ? '' : secret }
  return true
}

/** What has arrived and was not yet forgotten. */
export const arrival = (): Arrival | undefined => arrived

export function forgetArrival(): void {
  arrived = undefined
}
