import type { Command } from 'commander'
import { ask, bytes, dataOf, show } from '../output.ts'
import { forgetSession, keepSession, openStorage, readSession } from '../session.ts'
import { texts } from '../texts.ts'

interface LoginOptions {
  url?: string
  email?: string
  key?: string
  code?: boolean
  passwordStdin?: boolean
}

export function addSessionCommands(program: Command): void {
  program
    .command('login')
    .description(texts.commands.login)
    .option('--url <url>', texts.url)
    .option('--email <address>', texts.options.email)
    .option('--code', texts.options.code)
    .option('--password-stdin', texts.options.passwordStdin)
    .option('--key <key>', texts.options.key)
    .action(async (options: LoginOptions, command: Command) => {
      const session = { url: (options.url ?? readSession().url).replace(/\/+$/, ''), token: '' }
      session.token = options.key ?? (await tokenFor(session.url, options))
      const who = dataOf(await openStorage(session).api.call('accounts.vipInfo', {}))
      keepSession(session)
      show(command.optsWithGlobals().json, who, () => texts.signedIn(who.account || who.uid))
    })

  program
    .command('logout')
    .description(texts.commands.logout)
    .action(async (_: object, command: Command) => {
      const session = readSession()
      if (session.token !== '') await openStorage(session).api.call('accounts.logout', {})
      forgetSession()
      show(command.optsWithGlobals().json, {}, () => texts.signedOut)
    })

  program
    .command('status')
    .description(texts.commands.status)
    .action(async (_: object, command: Command) => {
      const session = readSession()
      const { api } = openStorage(session)
      const network = dataOf(await api.call('network.summary', {}))
      const account = session.token === '' ? undefined : dataOf(await api.call('usage.storageSize', {}))
      show(command.optsWithGlobals().json, { url: session.url, network, account }, () =>
        [
          `${texts.network}: ${session.url}`,
          `  ${texts.nodesOnline(network.online_node_count, network.total_node_count)}, ${texts.areas(network.area_count)}`,
          `  ${texts.usedOf(bytes(network.storage_used), bytes(network.total_storage))}`,
          account ? `${texts.account}:` : texts.signInFirst,
          ...(account
            ? [
                `  ${texts.usedOf(bytes(account.UsedSize), bytes(account.TotalSize))}`,
                `  ${texts.outflowOf(bytes(account.UsedTraffic), bytes(account.TotalTraffic))}`,
              ]
            : []),
        ].join('\n'),
      )
    })
}

async function tokenFor(url: string, options: LoginOptions): Promise<string> {
  const { api } = openStorage({ url, token: '' })
  const username = options.email ?? (await ask(texts.askEmail))
  if (options.code) {
    dataOf(await api.call('accounts.verifyCode', { username, type: 2 }))
    return dataOf(await api.call('accounts.login', { username, verify_code: await ask(texts.askCode) })).token
  }
  const password = options.passwordStdin ? await readAll() : await ask(texts.askPassword, { hidden: true })
  const answer = await api.call('accounts.login', { username, password })

  return dataOf(answer).token
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text.replace(/\r?\n$/, '')
}
