import { isSuccess, type Storage } from '@tidenet/storage'
import type { Command } from 'commander'
import { bytes } from '../amounts.ts'
import { CommandError } from '../command-error.ts'
import { oneOf } from '../one-of.ts'
import { printMessage, printResult } from '../output.ts'
import { call, dataOf } from '../portal.ts'
import { clearSession, openStorage, readSession, readUrl, saveSession } from '../session.ts'
import { prompt, promptOrRead, readInput } from '../terminal.ts'
import { texts } from '../texts.ts'
import { pad, width } from '../width.ts'

interface LoginOptions {
  url?: string
  email?: string
  key?: string
  code?: true
  passwordStdin?: true
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
    .action(async (options: LoginOptions) => {
      const url = options.url === undefined ? readSession().url : readUrl(options.url)
      const token = options.key === undefined ? await tokenFor(url, options) : await keyFrom(options.key)
      const session = { url, token }
      const storage = openStorage(session)
      const who = await call(storage, 'accounts.vipInfo', {}).catch((error: unknown) => {
        // During sign-in, the advice to sign in again would be wrong.
        throw error instanceof CommandError && error.exit === 'signIn'
          ? new CommandError(texts.keyRefused, 'signIn')
          : error
      })
      saveSession({ url, token: storage.api.token })
      if (process.env.TIDENET_TOKEN) printMessage(texts.tokenStays)
      printResult({ url, ...who }, () => texts.signedIn(who.account || who.uid, url))
    })

  program
    .command('logout')
    .description(texts.commands.logout)
    .action(async () => {
      const session = readSession()
      if (session.token !== '') await openStorage(session).api.call('accounts.logout', {})
      clearSession()
      printResult({}, () => texts.signedOut)
    })

  program
    .command('status')
    .description(texts.commands.status)
    .action(async () => {
      const session = readSession()
      const storage = openStorage(session)
      const network = await call(storage, 'network.summary', {})
      const account = session.token === '' ? null : await accountOf(storage)
      printResult({ url: session.url, network, account }, () => {
        const { status } = texts
        const lines: [string, string][] = [
          [status.portal, session.url],
          [status.nodes, texts.nodesOnline(network.online_node_count, network.total_node_count, network.area_count)],
          [status.storage, texts.usedOf(bytes(network.storage_used), bytes(network.total_storage))],
          [status.account, account ? `${account.account || account.uid}${account.vip ? ' (VIP)' : ''}` : status.nobody],
        ]
        if (account)
          lines.push(
            [status.files, texts.holds(account.AssetCount, account.FolderCount)],
            [status.stored, texts.usedOf(bytes(account.UsedSize), bytes(account.TotalSize))],
            [status.sent, texts.thisMonth(bytes(account.UsedTraffic), bytes(account.TotalTraffic))],
          )
        const column = Math.max(...lines.map(([head]) => width(head))) + 2
        return lines.map(([head, text]) => pad(head, column) + text).join('\n')
      })
    })
}

/** Account and usage; null if the session has expired. */
async function accountOf(storage: Storage) {
  const who = await storage.api.call('accounts.vipInfo', {})
  if (who.code === 401) return null
  return { ...dataOf(who), ...(await call(storage, 'usage.storageSize', {})) }
}

async function tokenFor(url: string, options: LoginOptions): Promise<string> {
  oneOf(options, ['code', 'passwordStdin'])
  const storage = openStorage({ url, token: '' })
  const username = options.email ?? (await prompt(texts.ask.email, { instead: '--email' }))
  if (options.code) {
    await call(storage, 'accounts.verifyCode', { username, type: 2 })
    printMessage(texts.codeSent(username))
    return signIn(storage, { username, verify_code: await promptOrRead(texts.ask.code) })
  }
  const password = options.passwordStdin
    ? await readInput()
    : await prompt(texts.ask.password, { hidden: true, instead: '--password-stdin' })
  return signIn(storage, { username, password })
}

type Credentials = { username: string; password: string } | { username: string; verify_code: string }

async function signIn(storage: Storage, credentials: Credentials): Promise<string> {
  const answer = await storage.api.call('accounts.login', credentials)
  // During sign-in, show the portal's message: the advice to sign in again would be wrong.
  if (!isSuccess(answer) && answer.code === 401) throw new CommandError(answer.msg, 'signIn')
  const { token } = dataOf(answer, storage.api.url)
  if (typeof token !== 'string') throw new CommandError(texts.notPortal(storage.api.url))
  return token
}

const keyFrom = async (key: string): Promise<string> => (key === '-' ? await readInput() : key).trim()
