import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** Whose tokens are good. */
let accounts: Map<string, string>
let storage: Map<string, string>
let cookies: Map<string, string>
/** Whether the server answers at all. */
let reachable: boolean
let visibility: 'visible' | 'hidden'
let asked: number

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  accounts = new Map([
    ['mine', 'me'],
    ['mine too', 'me'],
    ['theirs', 'them'],
  ])
  storage = new Map()
  cookies = new Map()
  reachable = true
  visibility = 'visible'
  asked = 0
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  })
  vi.stubGlobal('location', { hostname: 'portal.test', protocol: 'https:' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
    },
    set cookie(text: string) {
      const [name = '', value = ''] = text.split(';', 1)[0]?.split('=') ?? []
      if (/max-age=0/.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    },
    get visibilityState() {
      return visibility
    },
    addEventListener: () => {},
  })
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    asked++
    if (!reachable) throw new TypeError('Failed to fetch')
    const uid = accounts.get(headers.JwtAuthorization?.replace('Bearer ', '') ?? '')
    const data = { uid, vip: false, account: `${uid}@mail.test`, role: 'user' }
    return Response.json(uid ? { code: 0, data } : { code: 401, msg: 'expired', success: false })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const keep = (token: string, address: string) =>
  storage.set('tidenet.login', JSON.stringify({ state: { token, address }, version: 1 }))

/** A page that is loaded, once it is known who is there. */
async function load() {
  const texts = await import('./texts.ts')
  await texts.loadTexts()
  const session = await import('./session.ts')
  const { useSession } = await import('./session-store.ts')
  session.startSession()
  await session.sessionReady
  return { who: () => useSession.getState().address, token: () => useSession.getState().token, useSession }
}

describe('the cookie of a neighbouring site', () => {
  it('begins a session where nobody is signed in', async () => {
    cookies.set('login-token', 'theirs')
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['them', 'theirs'])
  })

  it('goes on with the account whose own session has ended', async () => {
    keep('gone', 'me')
    cookies.set('login-token', 'mine too')
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['me', 'mine too'])
  })
})

describe('refused', () => {
  it('another account by the cookie, in the place of one that is signed in', async () => {
    keep('mine', 'me')
    cookies.set('login-token', 'theirs')
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['me', 'mine'])
  })

  it('the same while the server does not answer', async () => {
    keep('mine', 'me')
    cookies.set('login-token', 'theirs')
    reachable = false
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['me', 'mine'])
  })

  it('the same when one’s own session has ended: nobody is signed in, and the cookie is gone', async () => {
    keep('gone', 'me')
    cookies.set('login-token', 'theirs')
    const { who, token } = await load()
    expect([who(), token(), cookies.has('login-token')]).toEqual(['', '', false])
  })

  it('the cookie, when somebody signs in by hand while it is being asked about', async () => {
    cookies.set('login-token', 'theirs')
    const loading = load()
    const { useSession } = await import('./session-store.ts')
    // The answer comes after this.
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
      useSession.setState({ token: 'mine', address: 'me' })
      return answer(...call)
    })
    const { who, token } = await loading
    expect([who(), token()]).toEqual(['me', 'mine'])
  })

  it('a cookie that is no longer good: it is taken away', async () => {
    cookies.set('login-token', 'gone')
    const { who } = await load()
    expect([who(), cookies.has('login-token')]).toEqual(['', false])
  })
})

describe('a session that is ended elsewhere', () => {
  it('is left within five seconds by a page that is seen', async () => {
    keep('mine', 'me')
    const { token } = await load()
    accounts.delete('mine')
    await vi.advanceTimersByTimeAsync(4500)
    expect(token()).toBe('')
  })

  it('is not asked about by a page that nobody sees, nor where nobody is signed in', async () => {
    keep('mine', 'me')
    const { token } = await load()
    visibility = 'hidden'
    const before = asked
    await vi.advanceTimersByTimeAsync(60_000)
    expect([token(), asked]).toEqual(['mine', before])
    visibility = 'visible'
    accounts.delete('mine')
    await vi.advanceTimersByTimeAsync(5000)
    const after = asked
    await vi.advanceTimersByTimeAsync(60_000)
    expect([token(), asked]).toEqual(['', after])
  })

  it('stays when the server does not answer', async () => {
    keep('mine', 'me')
    const { token } = await load()
    reachable = false
    await vi.advanceTimersByTimeAsync(20_000)
    expect(token()).toBe('mine')
  })
})
