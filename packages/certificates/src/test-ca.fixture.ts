import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Clock } from '@tidenet/daemon'
import { registeredDomainOf } from './hostnames.ts'
import { PUBLIC_CA_QUOTAS } from './quotas.ts'
import { createSigner, hasNames } from './test-certificates.fixture.ts'
import { renewalIdOf } from './x509.ts'

/**
 * A CA for tests that has the quotas of a public one, with the tests' clock. It records every request beyond a quota. It does not check
 * signatures; Pebble does, in the stage `acme`.
 */

const DAY_MS = 86_400_000

interface TestOrder {
  names: string[]
  status: 'pending' | 'ready' | 'valid' | 'invalid'
  replaces: string | undefined
  /** Its order was not counted. */
  isExempt: boolean
  cert?: string
  authorizations: TestAuthorization[]
}
interface TestAuthorization {
  name: string
  status: 'pending' | 'valid' | 'invalid'
  token: string
  error?: { type: string; detail: string }
}
interface Request {
  payload: Record<string, unknown>
  url: string
}

export type TestCa = Awaited<ReturnType<typeof startTestCa>>

export async function startTestCa(clock: Clock, { days = 90 } = {}) {
  const signer = await createSigner()
  const orders: TestOrder[] = []
  const authorizations: TestAuthorization[] = []
  const issued: { at: number; names: string[]; replaces: string | undefined; isExempt: boolean }[] = []
  const orderTimes: number[] = []
  const failures: { at: number; name: string }[] = []
  const ca = {
    directory: '',
    /** PEM. */
    root: signer.root,
    /** What exceeded a quota. */
    violations: [] as string[],
    orders,
    issued,
    /** All requests. */
    requests: 0,
    isDown: false,
    /** Answers every order with this. */
    refuses: undefined as { status: number; type: string; retryAfter?: string } | undefined,
    /** Names whose validation fails. */
    failing: new Set<string>(),
    revoked: new Set<string>(),
    /** Suggested window of all certificates; undefined: the CA does not know renewal information. */
    suggests: undefined as { start: number; end: number } | undefined,
    /** Called when a validation begins, before its answer is looked at. */
    onValidation: async (_name: string) => {},
    /** Looks an answer up, as by DNS or HTTP. */
    validate: async (_type: string, _name: string, _token: string): Promise<boolean> => true,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const within = (entries: { at: number }[], ms: number) => entries.filter(({ at }) => at > clock.now() - ms).length
  const countOrder = (names: string[], isReplacement: boolean) => {
    const { failures: failed, orders: placed, perDomain, duplicates } = PUBLIC_CA_QUOTAS
    const violate = (what: string, names: string[]) => void ca.violations.push(`${what}: ${names.join(' ')}`)
    for (const name of names.map((each) => each.replace('*.', '')))
      if (
        within(
          failures.filter((each) => each.name === name),
          failed.withinMs,
        ) >= failed.most
      )
        violate('failures', names)
    if (isReplacement) return
    orderTimes.push(clock.now())
    if (
      within(
        orderTimes.map((at) => ({ at })),
        placed.withinMs,
      ) > placed.most
    )
      violate('orders', names)
    const counted = issued.filter(({ isExempt }) => !isExempt)
    const same = counted.filter((each) => String(each.names) === String(names))
    if (within(same, duplicates.withinMs) >= duplicates.most) violate('duplicates', names)
    for (const domain of new Set(names.map(registeredDomainOf))) {
      const below = counted.filter((each) => each.names.map(registeredDomainOf).includes(domain))
      if (within(below, perDomain.withinMs) >= perDomain.most) violate('perDomain', names)
    }
  }

  const at = (path: string) => `${ca.directory.replace('/dir', '')}${path}`
  const showOrder = (order: TestOrder) => ({
    status: order.status,
    identifiers: order.names.map((value) => ({ type: 'dns', value })),
    authorizations: order.authorizations.map((each) => at(`/authz/${authorizations.indexOf(each)}`)),
    finalize: at(`/finalize/${orders.indexOf(order)}`),
    ...(order.cert && { certificate: at(`/cert/${orders.indexOf(order)}`) }),
  })
  const problem = (status: number, type: string, headers = {}) => ({
    status,
    headers,
    body: { type: `urn:ietf:params:acme:error:${type}`, detail: `The test CA says ${type}.` },
  })

  const post: Record<
    string,
    (request: Request, id: number) => Promise<{ status: number; headers?: object; body: unknown }>
  > = {
    account: async () => ({ status: 201, headers: { location: at('/acct/1') }, body: { status: 'valid' } }),
    order: async ({ payload, url }, id) => {
      const known = orders[id]
      if (url.includes('/order/')) return known ? { status: 200, body: showOrder(known) } : problem(404, 'malformed')
      if (ca.refuses) {
        const { status, type, retryAfter } = ca.refuses
        return problem(status, type, retryAfter ? { 'retry-after': retryAfter } : {})
      }
      const names = (payload.identifiers as { value: string }[]).map(({ value }) => value)
      const replaces = payload.replaces as string | undefined
      // As public CAs do: only within the suggested time.
      const { start = 0, end = 0 } = ca.suggests ?? {}
      const isExempt = replaces !== undefined && clock.now() >= start && clock.now() < end
      countOrder(names, isExempt)
      const order: TestOrder = {
        names,
        replaces,
        isExempt,
        status: 'pending',
        authorizations: names.map((name) => ({
          name,
          status: 'pending',
          token: `token-of-${authorizations.length}-${'x'.repeat(20)}`,
        })),
      }
      authorizations.push(...order.authorizations)
      orders.push(order)
      return { status: 201, headers: { location: at(`/order/${orders.length - 1}`) }, body: showOrder(order) }
    },
    authz: async (_, id) => {
      const { name, status, token, error } = authorizations[id] as TestAuthorization
      return {
        status: 200,
        body: {
          status,
          identifier: { type: 'dns', value: name.replace('*.', '') },
          ...(name.startsWith('*.') && { wildcard: true }),
          challenges: ['dns-01', 'http-01'].map((type) => ({
            type,
            token,
            status,
            url: at(`/challenge-${type}/${id}`),
            ...(error && { error }),
          })),
        },
      }
    },
    'challenge-dns-01': (_, id) => validate('dns-01', id),
    'challenge-http-01': (_, id) => validate('http-01', id),
    finalize: async ({ payload }, id) => {
      const order = orders[id] as TestOrder
      const csr = Buffer.from(payload.csr as string, 'base64url')
      if (!hasNames(csr, order.names)) return problem(403, 'badCSR')
      order.cert = await signer.signRequest(order.names, csr, clock.now(), clock.now() + days * DAY_MS)
      order.status = 'valid'
      issued.push({ at: clock.now(), names: order.names, replaces: order.replaces, isExempt: order.isExempt })
      return { status: 200, body: showOrder(order) }
    },
    cert: async (_, id) => ({ status: 200, body: orders[id]?.cert }),
    revoke: async ({ payload }) => {
      ca.revoked.add(payload.certificate as string)
      return { status: 200, body: '' }
    },
  }
  const validate = async (type: string, id: number) => {
    const authorization = authorizations[id] as TestAuthorization
    const name = authorization.name.replace('*.', '')
    await ca.onValidation(name)
    const isValid = !ca.failing.has(name) && (await ca.validate(type, name, authorization.token))
    authorization.status = isValid ? 'valid' : 'invalid'
    if (!isValid) {
      authorization.error = { type: 'urn:ietf:params:acme:error:unauthorized', detail: `The test CA asked ${name}.` }
      failures.push({ at: clock.now(), name })
    }
    const order = orders.find((each) => each.authorizations.includes(authorization)) as TestOrder
    if (!isValid) order.status = 'invalid'
    else if (order.authorizations.every(({ status }) => status === 'valid')) order.status = 'ready'
    return { status: 200, body: { type, status: authorization.status, url: at(`/challenge-${type}/${id}`) } }
  }

  const answer = async (request: IncomingMessage) => {
    const { method, url = '' } = request
    ca.requests++
    if (ca.isDown) return { status: 503, body: 'down' }
    if (url === '/dir')
      return {
        status: 200,
        body: {
          newNonce: at('/nonce'),
          newAccount: at('/account'),
          newOrder: at('/order'),
          revokeCert: at('/revoke'),
          ...(ca.suggests && { renewalInfo: at('/renewal') }),
        },
      }
    if (method !== 'POST') {
      if (!url.startsWith('/renewal/')) return { status: 200, body: '' }
      const isKnown = orders.some(({ cert }) => cert && url.endsWith(`/${renewalIdOf(cert)}`))
      const { start = 0, end = 0 } = ca.suggests ?? {}
      return isKnown
        ? { status: 200, body: { suggestedWindow: { start: new Date(start), end: new Date(end) } } }
        : problem(404, 'malformed')
    }
    const { payload } = JSON.parse(await text(request)) as { payload: string }
    const [, kind = '', id] = url.split('/')
    const body = payload ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : {}
    return post[kind]?.({ payload: body, url }, Number(id)) ?? problem(404, 'malformed')
  }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void answer(request).then(({ status, body, ...more }) => {
      const isText = typeof body === 'string'
      const headers = 'headers' in more ? more.headers : {}
      response.writeHead(status, {
        'replay-nonce': `${Math.random()}`,
        'content-type': isText ? 'text/plain' : 'application/json',
        ...headers,
      })
      response.end(isText ? body : JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ca.directory = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dir`
  return ca
}
