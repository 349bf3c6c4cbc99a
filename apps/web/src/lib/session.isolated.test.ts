import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** Valid tokens and their accounts. */
let accounts: Map<string, string>
let storage: Map<string, string>
let cookies: Map<string, string>
let reachable: boolean
let visibility: 'visible' | 'hidden'
let requests: number
let vip: boolean
let closing_at: string

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
  requests = 0
  vip = false
  closing_at = ''
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
    requests++
    if (!reachable) throw new TypeError('Failed to fetch')
    const uid = accounts.get(headers.JwtAuthorization?.replace('Bearer ', '') ?? '')
    const data = { uid, vip, closing_at, account: `${uid}@mail.test`, role: 'user' }
    return Response.json(uid ? { code: 0, data } : { code: 401, msg: 'expired', success: false })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const store = (token: string, address: string) =>
  storage.set('tidenet.login', JSON.stringify({ state: { token, address }, version: 1 }))

/** Loads a page and waits until the session is restored. */
async function load() {
  const texts = await import('./texts.ts')
  await texts.loadTexts()
  const session = await import('./session.ts')
  const { useSession } = await import('./session-store.ts')
  session.startSession()
  await session.sessionReady
  return { who: () => useSession.getState().address, token: () => useSession.getState().token, useSession }
}

describe('the login cookie of another site on the domain', () => {
  it('starts a session when nobody is signed in', async () => {
    cookies.set('login-token', 'theirs')
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['them', 'theirs'])
  })

  it('renews the session of the same account', async () => {
    store('gone', 'me')
    cookies.set('login-token', 'mine too')
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['me', 'mine too'])
  })
})

describe('the login cookie is refused', () => {
  it('when it is of another account than the signed-in one', async () => {
    store('mine', 'me')
    cookies.set('login-token', 'theirs')
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['me', 'mine'])
  })

  it('when it is of another account and the server does not answer', async () => {
    store('mine', 'me')
    cookies.set('login-token', 'theirs')
    reachable = false
    const { who, token } = await load()
    expect([who(), token()]).toEqual(['me', 'mine'])
  })

  it('when it is of another account than the ended session: nobody is signed in, and the cookie is removed', async () => {
    store('gone', 'me')
    cookies.set('login-token', 'theirs')
    const { who, token } = await load()
    expect([who(), token(), cookies.has('login-token')]).toEqual(['', '', false])
  })

  it('when somebody signs in by hand while it is being checked', async () => {
    cookies.set('login-token', 'theirs')
    const loading = load()
    const { useSession } = await import('./session-store.ts')
    // Sign in before the server answers.
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
      useSession.setState({ token: 'mine', address: 'me' })
      return answer(...call)
    })
    const { who, token } = await loading
    expect([who(), token()]).toEqual(['me', 'mine'])
  })

  it('when its token is invalid: the cookie is removed', async () => {
    cookies.set('login-token', 'gone')
    const { who } = await load()
    expect([who(), cookies.has('login-token')]).toEqual(['', false])
  })
})

describe('a plan that operators change', () => {
  it('reaches a visible page within five seconds, and ends there as soon', async () => {
    store('mine', 'me')
    const { useSession } = await load()
    for (const changed of [true, false]) {
      vip = changed
      await vi.advanceTimersByTimeAsync(4500)
      expect(useSession.getState().userinfo).toMatchObject({ uid: 'me', vip: changed })
    }
  })
})

describe('an account that is to be deleted', () => {
  it('is shown as such within five seconds, also if the answer at the start was older, and as long as it is so', async () => {
    store('mine', 'me')
    const { useSession } = await load()
    for (const changed of ['2026-12-29T00:00:00.000Z', '']) {
      closing_at = changed
      await vi.advanceTimersByTimeAsync(4500)
      expect(useSession.getState().userinfo).toMatchObject({ uid: 'me', closing_at: changed })
    }
  })

  it('stays so when messages of the chat, which do not know it, tell its plan', async () => {
    store('mine', 'me')
    closing_at = '2026-12-29T00:00:00.000Z'
    const { useSession } = await load()
    await vi.advanceTimersByTimeAsync(4500)
    const { applyPlan } = await import('./session.ts')
    applyPlan({ uid: 'me', vip: true, role: 'user' })
    expect(useSession.getState().userinfo).toMatchObject({ vip: true, closing_at })
  })
})

describe('a session that is ended elsewhere', () => {
  it('ends within five seconds in a visible page', async () => {
    store('mine', 'me')
    const { token } = await load()
    accounts.delete('mine')
    await vi.advanceTimersByTimeAsync(4500)
    expect(token()).toBe('')
  })

  it('is not checked by hidden pages, nor when nobody is signed in', async () => {
    store('mine', 'me')
    const { token } = await load()
    visibility = 'hidden'
    const before = requests
    await vi.advanceTimersByTimeAsync(60_000)
    expect([token(), requests]).toEqual(['mine', before])
    visibility = 'visible'
    accounts.delete('mine')
    await vi.advanceTimersByTimeAsync(5000)
    const after = requests
    await vi.advanceTimersByTimeAsync(60_000)
    expect([token(), requests]).toEqual(['', after])
  })

  it('is kept if the server does not answer', async () => {
    store('mine', 'me')
    const { token } = await load()
    reachable = false
    await vi.advanceTimersByTimeAsync(20_000)
    expect(token()).toBe('mine')
  })
})
