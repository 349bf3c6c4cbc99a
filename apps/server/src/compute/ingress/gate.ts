import { createHash } from 'node:crypto'
import { verifyPassword } from '../../identity/index.ts'
import { type AttemptLimit, clientNetworkOf, countAttempt, resetAttempts } from '../../platform/attempts/attempts.ts'
import type { Context } from '../context.ts'
import type { TargetRow } from '../workspaces/addresses.ts'
import { isOfStranger, type OfPage } from './origins.ts'
import type { Page } from './pages.ts'
import type { Targets } from './targets.ts'
import { newPass, PASS_MS, type Pass, readPass, sealPass } from './tickets.ts'

/** Paths below this are the ingress's own, on every address. */
export const OWN_PATHS = '/.tidenet/'

const ATTEMPTS: AttemptLimit = { kind: 'address', free: 10, firstLock: 60_000, longestLock: 3_600_000 }

export interface Visit {
  /** Of the address; or the whole name, if the host is a domain of the owner. */
  label: string
  row: TargetRow
  method: string
  /** Path and query. */
  path: string
  headers: OfPage & { cookie?: string | undefined; accept?: string | undefined }
  ip: string
}

/** Undefined: the visitor may pass. `cookie` is a header's value. */
export type Answer = Page | { to: string; cookie?: string } | undefined

/** Decides who reaches a program. */
export function createGate(context: Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'portalUrl'>, targets: Targets) {
  const { config, clock, keys } = context
  const domain = new URL(config.ingress.url)
  const secure = domain.protocol === 'https:'
  // With this prefix, browsers refuse the cookie from other hosts of the domain.
  const name = secure ? '__Host-tidenet' : 'tidenet'
  /** Of this process: with several, a ticket could be used once in each, within its minute. */
  const used = new Map<string, number>()

  const signInOf = ({ label, path }: Visit) =>
    `${context.portalUrl()}/console/open?${new URLSearchParams({ host: hostOf(domain, label), path })}`
  const holds = async (pass: Pass, { ip, row }: Pick<Visit, 'ip' | 'row'>): Promise<boolean> => {
    const { workload, access, password } = row
    if (pass.workload !== workload) return false
    return 'session' in pass.by
      ? access !== 'none' && access !== 'tcp' && (await targets.isSession(pass.by.session, ip))
      : access === 'password' && pass.by.password === versionOf(password)
  }

  const passOf = ({ label, headers }: Visit): Pass | undefined => {
    const sealed = cookiesOf(headers.cookie).find(([key]) => key === name)?.[1] ?? ''
    return readPass(keys.ingress, sealed, { kind: 'pass', label }, clock.now())
  }
  async function hasAccess(visit: Visit): Promise<boolean> {
    const { access } = visit.row
    if (access === 'public' || access === 'none' || access === 'tcp') return access === 'public'
    const pass = passOf(visit)
    if (!pass || !(await holds(pass, visit))) return false
    const host = visit.label.includes('.') ? visit.label : `${visit.label}.${domain.hostname}`
    return !isOfStranger(visit.headers, visit.method, { domain: domain.hostname, host })
  }
  /** A header's value. */
  function passFor({ label, row }: Visit, by: Pass['by']): string {
    const pass = newPass({ kind: 'pass', label, workload: row.workload, by, until: clock.now() + PASS_MS })
    return `${name}=${sealPass(keys.ingress, pass)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${PASS_MS / 1000}${secure ? '; Secure' : ''}`
  }

  async function enter(visit: Visit): Promise<Answer> {
    const query = new URLSearchParams(visit.path.split('?')[1])
    const ticket = readPass(
      keys.ingress,
      query.get('ticket') ?? '',
      { kind: 'ticket', label: visit.label },
      clock.now(),
    )
    for (const [id, until] of used) if (until < clock.now()) used.delete(id)
    const to = ownPath(query.get('to'))
    // The address may be opened again from the history: whoever has a pass is let in, others sign in again.
    if (!ticket || used.has(ticket.id) || !(await holds(ticket, visit))) return { to }
    used.set(ticket.id, ticket.until)
    return { to, cookie: passFor(visit, ticket.by) }
  }

  return {
    /** The name of the cookie, which programs do not get. */
    cookie: name,
    async admit(visit: Visit): Promise<Answer> {
      const { access } = visit.row
      if (visit.path.startsWith(`${OWN_PATHS}enter?`) && visit.method === 'GET') return enter(visit)
      if (access === 'none' || access === 'tcp') return { status: 404, name: 'unknown' }
      if (!(await hasAccess(visit))) {
        if (access === 'password') return { status: 401, name: 'password', to: visit.path }
        return visit.method === 'GET' && visit.headers.accept?.includes('text/html')
          ? { to: signInOf(visit) }
          : { status: 401, name: 'signIn', signIn: signInOf(visit) }
      }
      if (!isRunning(visit.row)) return { status: 503, name: 'stopped' }
      if (visit.path.startsWith(OWN_PATHS)) return { status: 404, name: 'unknown' }
      return undefined
    },

    /** Whether a visitor who was admitted would be admitted again. @param row of the address, now */
    async mayStay(visit: Visit, row: TargetRow | undefined): Promise<boolean> {
      if (row?.workload !== visit.row.workload || row.port !== visit.row.port || !isRunning(row)) return false
      return hasAccess({ ...visit, row })
    },

    /** The form of the password's page was sent. */
    async tryPassword(visit: Visit, form: URLSearchParams): Promise<Answer> {
      const { row } = visit
      const to = ownPath(form.get('to'))
      if (row.access !== 'password') return { to }
      const subject = `${row.workload}:${row.port} ${clientNetworkOf(visit.ip)}`
      if ((await countAttempt(context, ATTEMPTS, subject)) > 0) return { status: 429, name: 'locked' }
      if (!(await verifyPassword(row.password, form.get('password') ?? ''))) return { status: 401, name: 'wrong', to }
      await resetAttempts(context.db, ATTEMPTS, subject)
      return { to, cookie: passFor(visit, { password: versionOf(row.password) }) }
    },
  }
}

const isRunning = ({ wanted, workspace_state }: TargetRow): boolean =>
  wanted === 'running' && workspace_state === 'ready'

/** The host of an address, with the port of the ingress. @param label of an address, or a domain of the owner */
export const hostOf = (domain: URL, label: string): string =>
  label.includes('.') ? `${label}${domain.port && `:${domain.port}`}` : `${label}.${domain.host}`

/** Ends all passes when the password changes. */
const versionOf = (password: string | null): string =>
  createHash('sha256')
    .update(password ?? '')
    .digest('hex')
    .slice(0, 32)

/** Only a path of this address: `//host` and `/\host` lead elsewhere. */
const ownPath = (path: string | null): string => (path && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/')

export const cookiesOf = (header = ''): [name: string, value: string][] =>
  header.split(';').map((each) => {
    const [name = '', ...value] = each.split('=')
    return [name.trim(), value.join('=').trim()]
  })
