import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../db/sql.ts'
import { startJobs } from '../jobs.ts'
import { setup, type World } from '../world.ts'
import type { MailboxEntry } from './mailbox.ts'
import { suiteOfMailers } from './mailers.suite.ts'
import { insertMail } from './repository.ts'
import { createMailer, sendMail } from './send.ts'
import { codeLetter } from './templates.ts'

/** A mail server of the real kind that keeps what it is given; `answer` decides on each mail. */
async function smtpServer() {
  const taken: { to: string[]; mail: Email }[] = []
  const state = { answer: 250, passwords: [] as string[], connections: 0 }
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, callback) {
      state.connections += 1
      callback()
    },
    onAuth(auth, _session, callback) {
      state.passwords.push(auth.password ?? '')
      callback(null, { user: auth.username })
    },
    onData(stream, session: SMTPServerSession, callback) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (state.answer !== 250) return callback(Object.assign(new Error('not now'), { responseCode: state.answer }))
        PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          taken.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail })
          callback()
        }, callback)
      })
    },
  })
  await new Promise<void>((ready) => server.listen(0, '0.0.0.0', ready))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    state,
    to: (address: string) =>
      taken
        .filter(({ to }) => to.includes(address))
        .map(({ mail }) => mail)
        .reverse(),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

const mailbox = async (world: World, to: string): Promise<MailboxEntry[]> =>
  (await world.app.inject({ url: '/dev/mailbox.json', query: { to } })).json().mails

suiteOfMailers('mail by SMTP', async () => {
  const server = await smtpServer()
  const world = await setup({ smtpUrl: `smtp://127.0.0.1:${server.port}` })
  return {
    world,
    arrived: async (address) =>
      server.to(address).map(({ subject = '', text = '', to }) => ({ to: to?.[0]?.address ?? '', subject, text })),
    async close() {
      await world.close()
      await server.close()
    },
  }
})

suiteOfMailers('the development mailbox', async () => {
  const world = await setup()
  return { world, arrived: (to) => mailbox(world, to), close: () => world.close() }
})

describe('a mail by SMTP', () => {
  let server: Awaited<ReturnType<typeof smtpServer>>
  let world: World
  beforeAll(async () => {
    server = await smtpServer()
    world = await setup({
      environment: 'production',
      smtpUrl: `smtp://tide:secret@127.0.0.1:${server.port}`,
      mailFrom: '潮汐 Tidenet <no-reply@portal.test>',
    })
  })
  afterAll(async () => {
    await world.close()
    await server.close()
  })
  const post = async (to: string) => {
    const letter = codeLetter('cn', 'reset', '123456')
    return { letter, ...(await insertMail(world.db, to, letter, new Date(world.clock.now()))) }
  }
  const row = (id: number) =>
    world.db.one<{ sent_at: Date | null; error: string | null; text: string }>(
      sql`select sent_at, error, body_text || body_html as text from mails where id = ${id}`,
    )

  it('has both bodies, its sender and a name of its own', async () => {
    const { id, letter } = await post('both@mail.test')
    await sendMail(world.context, id)
    const [mail] = server.to('both@mail.test')
    expect(mail?.from).toMatchObject({ name: '潮汐 Tidenet', address: 'no-reply@portal.test' })
    expect(mail?.html?.trim()).toBe(letter.html.trim())
    expect(mail?.messageId).toBe(`<tidenet-${id}@portal.test>`)
    expect(server.state.passwords).toContain('secret')
  })

  it('is forgotten here once it is sent, for it holds a code', async () => {
    const { id } = await post('forgotten@mail.test')
    await sendMail(world.context, id)
    expect(await row(id)).toMatchObject({ text: '', error: null })
  })

  it('is tried again after a passing refusal', async () => {
    const { id } = await post('later@mail.test')
    server.state.answer = 451
    await expect(sendMail(world.context, id)).rejects.toThrow()
    expect((await row(id)).sent_at).toBeNull()
    server.state.answer = 250
    await sendMail(world.context, id)
    expect(server.to('later@mail.test')).toHaveLength(1)
  })

  it('goes out by the job of the call that made it necessary', async () => {
    const stop = await startJobs(world.context)
    await world.call('accounts.verifyCode', { username: 'job@mail.test', type: 1 }, { lang: 'cn' })
    await vi.waitFor(() => expect(server.to('job@mail.test')).toHaveLength(1), { timeout: 10_000 })
    await stop()
    expect(server.to('job@mail.test')[0]?.text).toMatch(/\d{6}/)
  })

  it('is given up when it is refused for good', async () => {
    const { id } = await post('never@mail.test')
    server.state.answer = 550
    await sendMail(world.context, id)
    server.state.answer = 250
    await sendMail(world.context, id)
    expect(server.to('never@mail.test')).toEqual([])
    expect(await row(id)).toMatchObject({ text: '', error: expect.stringContaining('not now') })
  })

  it('never carries a password over a network in the clear', async () => {
    Object.assign(server.state, { passwords: [], connections: 0 })
    // An address of this machine that is not among those taken for it.
    const mailer = createMailer({ ...world.context.config, smtpUrl: `smtp://tide:secret@127.0.0.2:${server.port}` })
    const mail = { id: 1, recipient: 'a@mail.test', subject: 's', body_text: 't', body_html: 'h' }
    await expect(mailer.deliver(mail)).rejects.toThrow()
    expect(server.state).toMatchObject({ passwords: [], connections: 1 })
  })

  it('has no mailbox beside it that shows codes', async () => {
    const { id } = await post('hidden@mail.test')
    await sendMail(world.context, id)
    for (const url of ['/dev/mailbox', '/dev/mailbox.json?to=hidden@mail.test'])
      expect((await world.app.inject({ url })).body).not.toContain('hidden@mail.test')
  })

  it('is not replaced by a mailbox in production', () => {
    expect(() => createMailer({ ...world.context.config, smtpUrl: '' })).toThrow()
  })
})
