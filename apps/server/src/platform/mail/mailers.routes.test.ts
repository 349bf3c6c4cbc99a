import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { features } from '../../features.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sql } from '../db/sql.ts'
import type { MailboxEntry } from './mailbox-page.ts'
import { mailerSuite } from './mailers-suite.fixture.ts'
import { insertMail } from './repository.ts'
import { createMailer, sendMail } from './send.ts'
import { codeEmail } from './templates.ts'

/** A real SMTP server with a self-signed certificate. The codes in `state` are its replies to each step. */
async function smtpServer(tls: 'none' | 'starttls' | 'always' = 'none') {
  const received: { to: string[]; mail: Email; secure: boolean; raw: string }[] = []
  const accept = { answer: 250, recipient: 250, sender: 250, login: 235 }
  const state = { ...accept, passwords: [] as string[], connections: 0 }
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
          received.push({ to, mail, secure: Boolean(session.secure), raw: raw.toString('latin1') })
          callback()
        }, callback)
      })
    },
  })
  // Clients that reject the certificate close the connection.
  server.on('error', () => {})
  await new Promise<void>((ready) => server.listen(0, '0.0.0.0', ready))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    state,
    acceptAll: () => Object.assign(state, accept, { passwords: [] }),
    last: () => received.at(-1),
    to: (address: string) =>
      received
        .filter(({ to }) => to.includes(address))
        .map(({ mail }) => mail)
        .reverse(),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

const mailbox = async (env: TestEnv, to: string): Promise<MailboxEntry[]> =>
  (await env.app.inject({ url: '/dev/mailbox.json', query: { to } })).json().mails

mailerSuite('SMTP mailer', async () => {
  const server = await smtpServer()
  const env = await setup({ smtpUrl: `smtp://127.0.0.1:${server.port}` })
  return {
    env,
    received: async (address) =>
      server.to(address).map(({ subject = '', text = '', to }) => ({ to: to?.[0]?.address ?? '', subject, text })),
    async close() {
      await env.close()
      await server.close()
    },
  }
})

mailerSuite('development mailbox', async () => {
  const env = await setup()
  return { env, received: (to) => mailbox(env, to), close: () => env.close() }
})

describe('mail by SMTP', () => {
  let server: Awaited<ReturnType<typeof smtpServer>>
  let env: TestEnv
  let queued = 0
  beforeAll(async () => {
    server = await smtpServer()
    env = await setup({
      environment: 'production',
      smtpUrl: `smtp://tide:secret@127.0.0.1:${server.port}`,
      mailFrom: '潮汐 Tidenet <no-reply@portal.test>',
    })
  })
  afterAll(async () => {
    await env.close()
    await server.close()
  })
  const queue = async (to: string) => {
    const email = codeEmail('cn', 'reset', '123456')
    return { to, email, ...(await insertMail(env.db, to, email, new Date(env.clock.now()))) }
  }
  const row = (id: number) =>
    env.db.one<{ sent_at: Date | null; error: string | null; text: string }>(
      sql`select sent_at, error, body_text || body_html as text from mails where id = ${id}`,
    )

  it('has both bodies, the sender and a message id', async () => {
    const { id, email } = await queue('both@mail.test')
    await sendMail(env.context, id)
    const [mail] = server.to('both@mail.test')
    expect(mail?.from).toMatchObject({ name: '潮汐 Tidenet', address: 'no-reply@portal.test' })
    expect(mail?.html?.trim()).toBe(email.html.trim())
    expect(mail?.messageId).toBe(`<tidenet-${id}@portal.test>`)
    expect(server.state.passwords).toContain('secret')
  })

  it('names in its headers where e-mails of this kind end, by RFC 8058, unless they cannot be ended', async () => {
    const unsubscribe = 'https://portal.test/unsubscribe?token=usage.a.b'
    const notice = { subject: 's', text: 't', html: 'h', unsubscribe }
    const { id } = await insertMail(env.db, 'notice@mail.test', notice, new Date(env.clock.now()))
    for (const each of [id, (await queue('code@mail.test')).id]) await sendMail(env.context, each)
    const headers = (to: string) => server.to(to)[0]?.headers.filter(({ key }) => key.startsWith('list-unsubscribe'))
    expect(headers('notice@mail.test')).toMatchObject([
      { key: 'list-unsubscribe', value: `<${unsubscribe}>` },
      { key: 'list-unsubscribe-post', value: 'List-Unsubscribe=One-Click' },
    ])
    expect(headers('code@mail.test')).toEqual([])
  })

  it('deletes the text after sending, because it contains a code', async () => {
    const { id } = await queue('forgotten@mail.test')
    await sendMail(env.context, id)
    expect(await row(id)).toMatchObject({ text: '', error: null })
  })

  it('is retried after a temporary error', async () => {
    const { id } = await queue('later@mail.test')
    server.state.answer = 451
    await expect(sendMail(env.context, id)).rejects.toThrow()
    expect(await row(id)).toMatchObject({ sent_at: null, error: expect.stringContaining('451') })
    server.state.answer = 250
    await sendMail(env.context, id)
    expect(server.to('later@mail.test')).toHaveLength(1)
    expect((await row(id)).error).toBeNull()
  })

  it.each([
    ['rejects the recipient temporarily (greylisting)', { recipient: 450 }],
    ['rejects our password', { login: 535 }],
    ['rejects our sender', { sender: 550 }],
    ['requires a password', { sender: 530 }],
  ])('is retried while the mail server %s', async (_, refusal) => {
    const { id, to } = await queue(`retried${++queued}@mail.test`)
    Object.assign(server.state, refusal)
    await expect(sendMail(env.context, id)).rejects.toThrow()
    expect((await row(id)).sent_at).toBeNull()
    server.acceptAll()
    await sendMail(env.context, id)
    expect(server.to(to)).toHaveLength(1)
  })

  it('is retried while no mail server is running, and the error is recorded', async () => {
    const { id } = await queue('nobody@mail.test')
    const config = { ...env.context.config, smtpUrl: 'smtp://127.0.0.1:9' }
    await expect(sendMail({ ...env.context, config }, id)).rejects.toThrow()
    expect(await row(id)).toMatchObject({ sent_at: null, error: expect.stringContaining('ECONNREFUSED') })
  })

  it('is given up after twenty minutes, and its code is deleted', async () => {
    const { id, to } = await queue('slow@mail.test')
    server.state.recipient = 450
    await expect(sendMail(env.context, id)).rejects.toThrow()
    env.pass(20 * 60 * 1000 + 1)
    await sendMail(env.context, id)
    server.acceptAll()
    await sendMail(env.context, id)
    expect(server.to(to)).toEqual([])
    expect(await row(id)).toMatchObject({ sent_at: expect.any(Date), text: '', error: expect.stringContaining('450') })
  })

  it('is encoded as ASCII with short lines', async () => {
    const { id } = await queue('ascii@mail.test')
    await sendMail(env.context, id)
    const { raw = '' } = server.last() ?? {}
    expect(raw).toMatch(/^Subject: =\?utf-8\?/im)
    expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/)
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(200)
  })

  it('is sent by a background job of the call that caused it', async () => {
    const stop = await startJobs(env.context, features)
    await env.call('accounts.verifyCode', { username: 'job@mail.test', type: 1 }, { lang: 'cn' })
    await vi.waitFor(() => expect(server.to('job@mail.test')).toHaveLength(1), { timeout: 10_000 })
    await stop()
    expect(server.to('job@mail.test')[0]?.text).toMatch(/\d{6}/)
  })

  it.each([
    ['its recipient', { recipient: 550 }],
    ['its content', { answer: 554 }],
  ])('is given up if %s is rejected permanently', async (_, refusal) => {
    const { id, to } = await queue(`never${++queued}@mail.test`)
    Object.assign(server.state, refusal)
    await sendMail(env.context, id)
    server.acceptAll()
    await sendMail(env.context, id)
    expect(server.to(to)).toEqual([])
    expect(await row(id)).toMatchObject({ sent_at: expect.any(Date), text: '', error: expect.stringMatching(/55\d/) })
  })

  it('never sends a password unencrypted over a network', async () => {
    Object.assign(server.state, { passwords: [], connections: 0 })
    // A loopback address that the mailer treats as remote.
    const mailer = createMailer({ ...env.context.config, smtpUrl: `smtp://tide:secret@127.0.0.2:${server.port}` })
    const mail = { id: 1, recipient: 'a@mail.test', subject: 's', body_text: 't', body_html: 'h', unsubscribe: '' }
    await expect(mailer.deliver(mail)).rejects.toThrow()
    expect(server.state).toMatchObject({ passwords: [], connections: 1 })
  })

  it.each([
    ['starttls', 'smtp'],
    ['always', 'smtps'],
  ] as const)('sends the password over TLS (%s) only after verifying the certificate', async (tls, protocol) => {
    const secured = await smtpServer(tls)
    try {
      // A loopback address that the mailer treats as remote.
      const smtpUrl = `${protocol}://tide:secret@127.0.0.2:${secured.port}`
      const mail = {
        id: 2,
        recipient: 'tls@mail.test',
        subject: '潮汐',
        body_text: 't',
        body_html: 'h',
        unsubscribe: '',
      }
      await expect(createMailer({ ...env.context.config, smtpUrl }).deliver(mail)).rejects.toThrow()
      expect(secured.state.passwords).toEqual([])
      // Operators can allow self-signed certificates.
      const allowed = { ...env.context.config, smtpUrl: `${smtpUrl}/?tls.rejectUnauthorized=false` }
      await createMailer(allowed).deliver(mail)
      expect(secured.state.passwords).toEqual(['secret'])
      expect(secured.last()).toMatchObject({ secure: true, mail: { subject: '潮汐' } })
    } finally {
      await secured.close()
    }
  })

  it('disables the development mailbox', async () => {
    const { id } = await queue('hidden@mail.test')
    await sendMail(env.context, id)
    for (const url of ['/dev/mailbox', '/dev/mailbox.json?to=hidden@mail.test'])
      expect((await env.app.inject({ url })).body).not.toContain('hidden@mail.test')
  })

  it('is required in production', () => {
    expect(() => createMailer({ ...env.context.config, smtpUrl: '' })).toThrow()
  })
})
