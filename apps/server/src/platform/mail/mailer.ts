/** A row of `mails`. */
export interface Mail {
  id: number
  recipient: string
  subject: string
  body_text: string
  body_html: string
  /** The address that ends e-mails of this kind; '': none. */
  unsubscribe: string
}

/** Delivers e-mails. */
export interface Mailer {
  /** @throws MailRefused if retrying is pointless; other errors are retried */
  deliver(mail: Mail): Promise<void>
  /** Whether the text stays in the table after delivery, for the development mailbox. */
  readonly keepsText: boolean
}

/** The mail server rejected this mail permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Delivers to the development mailbox, which shows the table. */
export const mailboxMailer: Mailer = { keepsText: true, deliver: async () => {} }
