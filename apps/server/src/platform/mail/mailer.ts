/** A mail as it lies in the table `mails`. */
export interface Mail {
  id: number
  recipient: string
  subject: string
  body_text: string
  body_html: string
}

/** A way to bring mails to people. */
export interface Mailer {
  /** Resolves once the mail is out of our hands. @throws MailRefused when trying again cannot help */
  deliver(mail: Mail): Promise<void>
  /** The table is the mailbox: a mail is read from there after it was delivered, so its text must stay. */
  readonly keepsText: boolean
}

/** The other side will never take this mail. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Delivers into the table itself, where `/dev/mailbox` shows what has arrived. */
export const mailboxMailer: Mailer = { keepsText: true, deliver: async () => {} }
