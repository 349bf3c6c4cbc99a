import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '@tidenet/contract/paths.gen'
import pg from 'pg'

/** An account that can sign in on a fresh network. */
export interface SeededPerson {
  readonly name: string
  /** Input for the sign-in page, such as an e-mail address. */
  readonly signIn: string
  readonly password?: string
  /** What this account demonstrates. */
  readonly note?: string
}

const people = [
  { name: 'Free account', signIn: 'free@tidenet.example', note: '100 MiB, 1 GiB a month', vip: false, operator: false },
  { name: 'VIP account', signIn: 'vip@tidenet.example', note: '5 GiB, 1,000 GiB a month', vip: true, operator: false },
  {
    name: 'Operator',
    signIn: 'operator@tidenet.example',
    note: 'the operator area, /admin',
    vip: false,
    operator: true,
  },
]

/**
 * Creates the accounts of a development network; idempotent. They sign up as any user does, with the code from the mailbox. Their passwords
 * are random and stored in the data folder, mode 0600.
 * @param url the portal
 * @param databaseUrl the server's database
 * @param data the network's data folder
 */
export async function seedPeople(url: string, databaseUrl: string, data: string): Promise<SeededPerson[]> {
  const file = join(data, 'secrets', 'people.json')
  const known: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const fresh = people.filter((person) => !known[person.signIn])
  for (const person of fresh) {
    const password = randomPassword()
    await signUp(url, person.signIn, password)
    known[person.signIn] = password
    mkdirSync(join(data, 'secrets'), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 })
  }
  if (fresh.some((person) => person.vip || person.operator)) {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const named = (who: typeof people) => [who.map((person) => person.signIn)]
    await client.query('update users set vip = true where email = any($1)', named(people.filter(({ vip }) => vip)))
    await client.query(
      `with made as (
        update users set role = 'operator' where email = any($1) and role <> 'operator' returning uid
      )
      insert into audit_log (at, via, action, subject, detail, result)
      select now(), 'system', 'account.role', 'user:' || uid, '{"after": {"role": "operator"}, "reason": "first start"}', 'done' from made`,
      named(people.filter(({ operator }) => operator)),
    )
    await client.end()
  }
  return people.map(({ name, signIn, note }) => ({ name, signIn, note, password: known[signIn] as string }))
}

async function signUp(url: string, username: string, password: string): Promise<void> {
  await askForCode(url, username, 1)
  const code = await codeFromMailbox(url, username)
  try {
    await call(url, 'accounts.register', { username, password, verify_code: code })
  } catch (error) {
    // The account exists but its password is lost: reset it as its owner would.
    if ((error as { err?: number }).err !== 1011) throw error
    await askForCode(url, username, 3)
    await call(url, 'accounts.resetPassword', {
      username,
      password,
      verify_code: await codeFromMailbox(url, username, code),
    })
  }
}

/** An interrupted start may have requested a code recently: it is still valid. */
async function askForCode(url: string, username: string, type: number): Promise<void> {
  await call(url, 'accounts.verifyCode', { username, type }).catch((error: { err?: number }) => {
    if (error.err !== 1020) throw error
  })
}

async function call(url: string, operation: keyof typeof paths, input: Record<string, unknown>): Promise<unknown> {
  const answer = await fetch(`${url}${paths[operation].path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', lang: 'en' },
    body: JSON.stringify(input),
  })
  const { code, err, msg, data } = (await answer.json()) as { code: number; err?: number; msg?: string; data?: unknown }
  if (code !== 0) throw Object.assign(new Error(`${operation}: ${msg}`), { err })
  return data
}

/** A job sends the mail, so it may take a moment. */
async function codeFromMailbox(url: string, to: string, not?: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const { mails } = (await (await fetch(`${url}/dev/mailbox.json?to=${encodeURIComponent(to)}`)).json()) as {
      mails: { code: string | null }[]
    }
    const code = mails[0]?.code
    if (code && code !== not) return code
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no code for ${to} arrived in the mailbox`)
}

/** Twelve characters, without ones that are easily confused. */
function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const pick = (set: string) => set[randomInt(set.length)]
  return [...Array.from({ length: 10 }, () => pick(letters)), pick('23456789'), pick('-_.+')].join('')
}
