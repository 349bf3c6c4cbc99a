import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestEnv } from '../../test-env.fixture.ts'
import { sql } from '../db/sql.ts'
import { insertMail } from './repository.ts'
import { sendMail } from './send.ts'
import { codeEmail, type EmailText } from './templates.ts'

export interface ReceivedEmail {
  to: string
  subject: string
  text: string
}

export interface MailerUnderTest {
  env: TestEnv
  /** E-mails that were delivered to an address, newest first. */
  received(to: string): Promise<ReceivedEmail[]>
  close(): Promise<void>
}

/** The tests that every mailer must pass. */
export function mailerSuite(name: string, open: () => Promise<MailerUnderTest>): void {
  describe(name, () => {
    let mailer: MailerUnderTest
    beforeAll(async () => {
      mailer = await open()
    })
    afterAll(() => mailer.close())

    let recipients = 0
    const queue = async (email: EmailText, to = `suite${++recipients}@mail.test`) => {
      const { db, clock } = mailer.env
      const { id } = await insertMail(db, to, email, new Date(clock.now()))
      return { id, to }
    }
    const plain = (text: string): EmailText => ({ subject: 'plain', text, html: '<p>plain</p>' })

    it.each(['en', 'cn'] as const)('delivers subject and text unchanged (%s)', async (lang) => {
      const email = codeEmail(lang, 'login', '012345')
      const { id, to } = await queue(email)
      await sendMail(mailer.env.context, id)
      const [mail, ...others] = await mailer.received(to)
      expect(others).toEqual([])
      expect(mail).toMatchObject({ to, subject: email.subject })
      expect(mail?.text.trim()).toBe(email.text.trim())
    })

    it.each([
      ['lines with a single dot', 'one\n.\n..\ntwo'],
      ['a very long line', '潮'.repeat(3000)],
      ['characters outside the basic plane', 'tide \u{1f30a} 𠀀'],
      ['text that looks like a header', 'Bcc: other@mail.test\nSubject: other'],
    ])('delivers %s', async (_, text) => {
      const { id, to } = await queue(plain(text))
      await sendMail(mailer.env.context, id)
      expect((await mailer.received(to))[0]?.text.trim()).toBe(text)
      expect(await mailer.received('other@mail.test')).toEqual([])
    })

    it('delivers a mail once, even if its job runs several times or concurrently', async () => {
      const { id, to } = await queue(plain('once'))
      await Promise.all(Array.from({ length: 6 }, () => sendMail(mailer.env.context, id)))
      await sendMail(mailer.env.context, id)
      expect(await mailer.received(to)).toHaveLength(1)
    })

    it('ignores a deleted mail', async () => {
      const { id, to } = await queue(plain('gone'))
      await mailer.env.db.run(sql`delete from mails where id = ${id}`)
      await sendMail(mailer.env.context, id)
      expect(await mailer.received(to)).toEqual([])
    })

    it('prevents header injection by the subject, and a second recipient by the address', async () => {
      const subject = await queue({ ...plain('split'), subject: 'a\r\nBcc: hidden@mail.test' })
      await sendMail(mailer.env.context, subject.id)
      const address = await queue(plain('split'), 'one@mail.test,hidden@mail.test')
      await sendMail(mailer.env.context, address.id).catch(() => {})
      expect(await mailer.received('hidden@mail.test')).toEqual([])
    })
  })
}
