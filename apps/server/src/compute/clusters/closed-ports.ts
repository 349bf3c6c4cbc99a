/**
 * Outgoing ports that are closed: mail without an account (25), and the ports of Windows networks, which worms use. Ports of mail with an
 * account (465, 587) stay open: the mail provider answers for its accounts.
 */
export const CLOSED_PORTS: readonly number[] = [25, 135, 137, 138, 139, 445]
