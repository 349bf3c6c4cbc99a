import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { features } from '../../features.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sql } from '../db/sql.ts'
import type { MailboxEntry } from './mailbox-page.ts'
import { suiteOfMailers } from './mailers-suite.fixture.ts'
import { insertMail } from './repository.ts'
import { createMailer, sendMail } from './send.ts'
import { codeEmail } from './templates.ts'

/**
 * A mail server of the real kind that keeps what it is given. `answer` decides on each mail, `recipient`, `sender` and `login` on what comes
 * before it. Its certificate is one that nobody has signed.
 */
async function smtpServer(tls: 'none' | 'starttls' | 'always' = 'none') {
  const taken: { to: string[]; mail: Email; secure: boolean; raw: string }[] = []
  const fine = { answer: 250, recipient: 250, sender: 250, login: 235 }
  const state = { ...fine, passwords: [] as string[], connections: 0 }
  const answer = (code: number, callback: (error?: Error | null) => void) =>
    callback(code < 300 ? null : Object.assign(new Error('not now'), { responseCode: code }))
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    secure: tls === 'always',
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    logger: false,
    onMailFrom: (_address, _session, callback) => answer(state.sender, callback),
    onRcptTo: (_address, _session, callback) => answer(state.recipient, callback),
    onConnect(_session, callback) {
      state.connections += 1
      callback()
    },
    onAuth(auth, _session, callback) {
      state.passwords.push(auth.password ?? '')
      if (state.login === 235) callback(null, { user: auth.username })
      else callback(Object.assign(new Error('not now'), { responseCode: state.login }))
    },
    onData(stream, session: SMTPServerSession, callback) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (state.answer !== 250) return answer(state.answer, callback)
        const raw = Buffer.concat(parts)
        PostalMime.parse(raw).then((mail) => {
          const to = session.envelope.rcptTo.map(({ address }) => address)
          taken.push({ to, mail, secure: Boolean(session.secure), raw: raw.toString('latin1') })
          callback()
        }, callback)
      })
    },
  })
  // A client that breaks off while it looks at the certificate.
  server.on('error', () => {})
  await new Promise<void>((ready) => server.listen(0, '0.0.0.0', ready))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    state,
    /** Refuses nothing any more. */
    mend: () => Object.assign(state, fine, { passwords: [] }),
    last: () => taken.at(-1),
    to: (address: string) =>
      taken
        .filter(({ to }) => to.includes(address))
        .map(({ mail }) => mail)
        .reverse(),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

const mailbox = async (world: TestEnv, to: string): Promise<MailboxEntry[]> =>
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
  let world: TestEnv
  let waiting = 0
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
    const letter = codeEmail('cn', 'reset', '123456')
    return { to, letter, ...(await insertMail(world.db, to, letter, new Date(world.clock.now()))) }
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
    expect(await row(id)).toMatchObject({ sent_at: null, error: expect.stringContaining('451') })
    server.state.answer = 250
    await sendMail(world.context, id)
    expect(server.to('later@mail.test')).toHaveLength(1)
    expect((await row(id)).error).toBeNull()
  })

  it.each([
    ['takes the reader only later (greylisting)', { recipient: 450 }],
    ['does not take our password', { login: 535 }],
    ['does not take our sender', { sender: 550 }],
    ['wants a password', { sender: 530 }],
  ])('waits while the mail server %s', async (_, refusal) => {
    const { id, to } = await post(`waits${++waiting}@mail.test`)
    Object.assign(server.state, refusal)
    await expect(sendMail(world.context, id)).rejects.toThrow()
    expect((await row(id)).sent_at).toBeNull()
    server.mend()
    await sendMail(world.context, id)
    expect(server.to(to)).toHaveLength(1)
  })

  it('waits while no mail server is there, and the log says why', async () => {
    const { id } = await post('nobody@mail.test')
    const config = { ...world.context.config, smtpUrl: 'smtp://127.0.0.1:9' }
    await expect(sendMail({ ...world.context, config }, id)).rejects.toThrow()
    expect(await row(id)).toMatchObject({ sent_at: null, error: expect.stringContaining('ECONNREFUSED') })
  })

  it('is given up, and its code forgotten, when it did not go out for twenty minutes', async () => {
    const { id, to } = await post('slow@mail.test')
    server.state.recipient = 450
    await expect(sendMail(world.context, id)).rejects.toThrow()
    world.pass(20 * 60 * 1000 + 1)
    await sendMail(world.context, id)
    server.mend()
    await sendMail(world.context, id)
    expect(server.to(to)).toEqual([])
    expect(await row(id)).toMatchObject({ sent_at: expect.any(Date), text: '', error: expect.stringContaining('450') })
  })

  it('is plain ASCII on the way, whatever its language, in lines that mail servers take', async () => {
    const { id } = await post('ascii@mail.test')
    await sendMail(world.context, id)
    const { raw = '' } = server.last() ?? {}
    expect(raw).toMatch(/^Subject: =\?utf-8\?/im)
    expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/)
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(200)
  })

  it('goes out by the job of the call that made it necessary', async () => {
    const stop = await startJobs(world.context, features)
    await world.call('accounts.verifyCode', { username: 'job@mail.test', type: 1 }, { lang: 'cn' })
    await vi.waitFor(() => expect(server.to('job@mail.test')).toHaveLength(1), { timeout: 10_000 })
    await stop()
    expect(server.to('job@mail.test')[0]?.text).toMatch(/\d{6}/)
  })

  it.each([
    ['its reader', { recipient: 550 }],
    ['its content', { answer: 554 }],
  ])('is given up when %s is refused for good', async (_, refusal) => {
    const { id, to } = await post(`never${++waiting}@mail.test`)
    Object.assign(server.state, refusal)
    await sendMail(world.context, id)
    server.mend()
    await sendMail(world.context, id)
    expect(server.to(to)).toEqual([])
    expect(await row(id)).toMatchObject({ sent_at: expect.any(Date), text: '', error: expect.stringMatching(/55\d/) })
  })

  it('never carries a password over a network in the clear', async () => {
    Object.assign(server.state, { passwords: [], connections: 0 })
    // An address of this machine that is not among those taken for it.
    const mailer = createMailer({ ...world.context.config, smtpUrl: `smtp://tide:secret@127.0.0.2:${server.port}` })
    const mail = { id: 1, recipient: 'a@mail.test', subject: 's', body_text: 't', body_html: 'h' }
    await expect(mailer.deliver(mail)).rejects.toThrow()
    expect(server.state).toMatchObject({ passwords: [], connections: 1 })
  })

  it.each([
    ['starttls', 'smtp'],
    ['always', 'smtps'],
  ] as const)('carries its password over TLS (%s), once the other side has shown who it is', async (tls, protocol) => {
    const secured = await smtpServer(tls)
    try {
      // An address of this machine that is not among those taken for it.
      const smtpUrl = `${protocol}://tide:secret@127.0.0.2:${secured.port}`
      const mail = { id: 2, recipient: 'tls@mail.test', subject: '潮汐', body_text: 't', body_html: 'h' }
      await expect(createMailer({ ...world.context.config, smtpUrl }).deliver(mail)).rejects.toThrow()
      expect(secured.state.passwords).toEqual([])
      // Its certificate is one of those that an operator may allow.
      const allowed = { ...world.context.config, smtpUrl: `${smtpUrl}/?tls.rejectUnauthorized=false` }
      await createMailer(allowed).deliver(mail)
      expect(secured.state.passwords).toEqual(['secret'])
      expect(secured.last()).toMatchObject({ secure: true, mail: { subject: '潮汐' } })
    } finally {
      await secured.close()
    }
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
