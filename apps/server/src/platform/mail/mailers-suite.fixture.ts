import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestEnv } from '../../test-env.fixture.ts'
import { sql } from '../db/sql.ts'
import { insertMail } from './repository.ts'
import { sendMail } from './send.ts'
import { codeEmail, type EmailText } from './templates.ts'

export interface ArrivedEmail {
  to: string
  subject: string
  text: string
}

export interface MailerUnderTest {
  world: TestEnv
  /** What has arrived for an address, newest first. */
  arrived(to: string): Promise<ArrivedEmail[]>
  close(): Promise<void>
}

/** What every way of bringing mails to people promises. */
export function suiteOfMailers(name: string, open: () => Promise<MailerUnderTest>): void {
  describe(name, () => {
    let mailer: MailerUnderTest
    beforeAll(async () => {
      mailer = await open()
    })
    afterAll(() => mailer.close())

    let readers = 0
    const post = async (letter: EmailText, to = `suite${++readers}@mail.test`) => {
      const { db, clock } = mailer.world
      const { id } = await insertMail(db, to, letter, new Date(clock.now()))
      return { id, to }
    }
    const plain = (text: string): EmailText => ({ subject: 'plain', text, html: '<p>plain</p>' })

    it.each(['en', 'cn'] as const)('brings subject and text as they are (%s)', async (lang) => {
      const letter = codeEmail(lang, 'login', '012345')
      const { id, to } = await post(letter)
      await sendMail(mailer.world.context, id)
      const [mail, ...others] = await mailer.arrived(to)
      expect(others).toEqual([])
      expect(mail).toMatchObject({ to, subject: letter.subject })
      expect(mail?.text.trim()).toBe(letter.text.trim())
    })

    it.each([
      ['dots that SMTP would read as an end', 'one\n.\n..\ntwo'],
      ['a very long line', '潮'.repeat(3000)],
      ['signs outside the basic plane', 'tide \u{1f30a} 𠀀'],
      ['what looks like a header', 'Bcc: other@mail.test\nSubject: other'],
    ])('brings %s', async (_, text) => {
      const { id, to } = await post(plain(text))
      await sendMail(mailer.world.context, id)
      expect((await mailer.arrived(to))[0]?.text.trim()).toBe(text)
      expect(await mailer.arrived('other@mail.test')).toEqual([])
    })

    it('brings a mail once however often and at once its job runs', async () => {
      const { id, to } = await post(plain('once'))
      await Promise.all(Array.from({ length: 6 }, () => sendMail(mailer.world.context, id)))
      await sendMail(mailer.world.context, id)
      expect(await mailer.arrived(to)).toHaveLength(1)
    })

    it('does nothing for a mail that is gone', async () => {
      const { id, to } = await post(plain('gone'))
      await mailer.world.db.run(sql`delete from mails where id = ${id}`)
      await sendMail(mailer.world.context, id)
      expect(await mailer.arrived(to)).toEqual([])
    })

    it('brings no second header out of a subject, and no second reader out of an address', async () => {
      const subject = await post({ ...plain('split'), subject: 'a\r\nBcc: hidden@mail.test' })
      await sendMail(mailer.world.context, subject.id)
      const address = await post(plain('split'), 'one@mail.test,hidden@mail.test')
      await sendMail(mailer.world.context, address.id).catch(() => {})
      expect(await mailer.arrived('hidden@mail.test')).toEqual([])
    })
  })
}
