import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { readProviders } from './providers.ts'
import {
  CLIENT_SECRET,
  clientOf,
  githubService,
  openidService,
  type TestService,
  visit,
} from './test-services.fixture.ts'

/** For tests: a portal with three external services, and one that is always unreachable. */
export type PortalWithServices = Awaited<ReturnType<typeof portalWithServices>>

export async function portalWithServices() {
  const services = await Promise.all([openidService('company'), openidService('harbour'), githubService()])
  const [company, harbour, github] = services
  const list = [
    clientOf('company', 'Company', company),
    clientOf('harbour', 'Harbour', harbour),
    clientOf('github', 'GitHub', github, 'github'),
    clientOf('closed', 'Closed', { url: 'http://127.0.0.1:9' }),
  ]
  const signInProviders = readProviders(JSON.stringify(list), { TEST_CLIENT_SECRET: CLIENT_SECRET })
  const env = await setup({ signInProviders })
  return {
    env,
    company,
    harbour,
    github,
    async close() {
      await env.close()
      await Promise.all(services.map((service) => service.stop()))
    },
  }
}

let people = 0
let browsers = 0

export const newName = () => `tide${++people}`
/** A user of the service, with the profile. */
export function known(service: TestService, claims: Record<string, unknown> = {}): string {
  const name = newName()
  service.people.set(name, { id: people, ...claims })
  return name
}

/** For tests: browsers that sign in at external services. `env` is set up later. */
export function sampleBrowsers(env: () => TestEnv) {
  /** A browser that stores the portal's cookies. */
  function browser() {
    const cookies = new Map<string, string>()
    // A new client network per browser, so that limits per network do not interfere.
    const remoteAddress = `10.1.${++browsers >> 8}.${browsers & 255}`
    const go = async (
      url: string,
      as: { method?: 'GET' | 'POST'; payload?: object; token?: string; lang?: string } = {},
    ) => {
      const answer = await env().app.inject({
        method: as.method ?? 'GET',
        remoteAddress,
        url: url.replace('http://portal.test', ''),
        cookies: Object.fromEntries(cookies),
        headers: {
          'user-agent': 'test',
          ...(as.token && { jwtauthorization: `Bearer ${as.token}` }),
          ...(as.lang && { lang: as.lang }),
        },
        ...(as.payload && { payload: as.payload }),
      })
      for (const { name, value, maxAge, expires } of answer.cookies as {
        name: string
        value: string
        maxAge?: number
        expires?: Date
      }[])
        if (value === '' || maxAge === 0 || (expires && expires.getTime() === 0)) cookies.delete(name)
        else cookies.set(name, value)
      return answer
    }
    return {
      cookies,
      go,
      start: async (provider: string, redirect?: string) => {
        const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`
        const { headers } = await go(`/api/v1/user/oauth/${provider}/start${query}`)
        return String(headers.location)
      },
      /** Begins to link an identity. @returns the URL of the service */
      link: async (provider: string, token: string, redirect?: string): Promise<string> => {
        const payload = { provider, ...(redirect !== undefined && { redirect }) }
        return (await go('/api/v1/user/oauth/link', { method: 'POST', payload, token })).json().data.url
      },
      /** Opens the callback URL. @returns what the portal receives */
      back: async (url: string) => {
        const location = String((await go(url)).headers.location)
        const { pathname, searchParams, hash } = new URL(location, 'http://portal.test')
        const told = new URLSearchParams(hash.slice(1))
        return {
          location,
          pathname,
          redirect: searchParams.get('redirect'),
          code: told.get('handover') ?? '',
          failure: told.get('identity'),
        }
      },
      finish: async (code: string) =>
        (await go('/api/v1/user/oauth/finish', { method: 'POST', payload: { code } })).json(),
      add: async (code: string, token: string) =>
        (await go('/api/v1/user/oauth/add', { method: 'POST', payload: { code }, token })).json(),
    }
  }

  /** Signs in at the service and opens the callback. */
  async function through(provider: string, name: string, by = browser()) {
    const returned = await by.back(await visit(await by.start(provider), name))
    return { by, ...returned }
  }

  return {
    browser,
    through,
    async signIn(provider: string, name: string, by = browser()) {
      const { code } = await through(provider, name, by)
      return by.finish(code)
    },
    whoIs: async (token: string) => (await env().call('accounts.info', {}, { token })).data,
    /** Links an identity. */
    async linked(person: Person, provider: string, name: string, by = browser()) {
      const returned = await by.back(await visit(await by.link(provider, person.token, '/myAccount'), name))
      return { ...returned, answer: await by.add(returned.code, person.token) }
    },
    identitiesOf: async (token: string) => (await env().call('identities.list', {}, { token })).data.identities,
  }
}
