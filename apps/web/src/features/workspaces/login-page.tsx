import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { pageNames } from '../../lib/page-names.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { maskWallet } from '../../lib/phrases.ts'
import { currentToken } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { TideMark } from '../../ui/page.tsx'
import { Card, Loading, Notice } from '../../ui/states.tsx'
import { Bar } from './frame.tsx'
import { consolePath } from './guards.ts'
import { GuestBanner, GuestCard } from './guest.tsx'
import { findOwnAccount, requestConsoleToken } from './own-account.ts'
import { enter, useConsole } from './session.ts'
import { t } from './texts.ts'
import { clearUrlCredentials, type UrlCredentials, urlCredentials } from './url-credentials.ts'

/** A console token is valid once: rendering twice must not use it twice. */
let signingIn: Promise<void> | undefined

function signInOnce({ account, consoleToken }: UrlCredentials): void {
  signingIn ??= enter(account, consoleToken).finally(() => {
    signingIn = undefined
  })
}

/** Login of the console, by the console token in the URL or by account and password. */
export function LoginPage() {
  const title = usePageTitle()
  const navigate = useNavigate()
  const { next } = useSearch({ from: '/console/login' })
  const [credentials] = useState(urlCredentials)
  const [waiting, setWaiting] = useState(
    Boolean(credentials?.consoleToken || (credentials?.password && currentToken() !== '')),
  )
  const [own, setOwn] = useState<string>()
  const [account, setAccount] = useState(credentials?.account || useConsole.getState().account)
  const [password, setPassword] = useState(credentials?.password ?? '')
  const [problem, setProblem] = useState<{ text: string; ofToken: boolean }>()
  const [missing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)

  const proceed = () => void navigate({ href: consolePath(next) ?? '/console', replace: true })
  const signInByToken = useEffectEvent((current: UrlCredentials) => {
    signInOnce(current)
    signingIn?.then(proceed, (error) => {
      const session = useConsole.getState()
      // Ignore a used token if this account is signed in already.
      if (session.token !== '' && session.account === current.account) return proceed()
      setProblem({ text: messageOf(error), ofToken: true })
      setWaiting(false)
    })
  })
  const signInToOwn = useEffectEvent(async (found: string | undefined) => {
    setOwn(found)
    if (!credentials?.password) return
    // Credentials of the account that the portal is signed in to need no confirmation; a link with others only fills the form.
    if (found !== credentials.account) return setWaiting(false)
    try {
      await enter(credentials.account, credentials.password)
      proceed()
    } catch (error) {
      setProblem({ text: messageOf(error), ofToken: false })
      setWaiting(false)
    }
  })
  useEffect(() => {
    clearUrlCredentials()
    if (credentials?.consoleToken) return signInByToken(credentials)
    let isGone = false
    void findOwnAccount().then((found) => (isGone ? undefined : signInToOwn(found)))
    return () => {
      isGone = true
    }
  }, [credentials])

  const continueAsOwn = async () => {
    setProblem(undefined)
    setBusy(true)
    try {
      const { account, consoleToken } = await requestConsoleToken()
      await enter(account, consoleToken)
      proceed()
    } catch (error) {
      setProblem({ text: messageOf(error), ofToken: false })
      setBusy(false)
    }
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    setMissing(account.trim() === '' || password === '')
    if (account.trim() === '' || password === '') return
    setBusy(true)
    try {
      await enter(account.trim(), password)
      proceed()
    } catch (error) {
      setProblem({ text: messageOf(error), ofToken: false })
      setBusy(false)
    }
  }
  return (
    <div className="flex min-h-dvh flex-col">
      <Bar />
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-md flex-1 px-4 py-10 outline-none sm:py-16">
        <TideMark className="text-accent" />
        <h1 className="mt-4 text-2xl leading-8 font-semibold tracking-tight">{title}</h1>
        <p className="mt-2 text-muted">{t.login.intro}</p>
        <Card className="mt-7 p-5 sm:p-6">
          {waiting ? (
            <Loading label={t.login.opening} />
          ) : (
            <form className="flex flex-col gap-5" onSubmit={(event) => void submit(event)} noValidate>
              {problem && (
                <Notice tone="bad" live>
                  <p>{problem.text}</p>
                  {problem.ofToken && <p className="mt-1">{t.login.ticketSpent}</p>}
                </Notice>
              )}
              {credentials?.password && !problem && <Notice>{t.login.filledIn}</Notice>}
              {own && !credentials?.password && (
                <>
                  <Button look="primary" busy={busy} className="min-h-11" onClick={() => void continueAsOwn()}>
                    {t.login.continueAs(maskWallet(own))}
                  </Button>
                  <p className="border-t border-line pt-4 text-sm text-muted">{t.login.other}</p>
                </>
              )}
              <Field
                label={t.login.account}
                hint={t.login.accountHint}
                error={missing && account.trim() === '' ? t.login.accountMissing : undefined}
              >
                <TextInput
                  name="username"
                  autoComplete="section-workspaces username"
                  autoCapitalize="off"
                  spellCheck={false}
                  className="font-mono text-sm"
                  value={account}
                  onChange={(event) => setAccount(event.target.value)}
                />
              </Field>
              <Field label={t.login.password} error={missing && password === '' ? t.login.passwordMissing : undefined}>
                <PasswordInput
                  name="password"
                  autoComplete="section-workspaces current-password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              </Field>
              <Button
                look={own && !credentials?.password ? 'secondary' : 'primary'}
                type="submit"
                busy={busy}
                className="min-h-11"
              >
                {t.login.open}
              </Button>
            </form>
          )}
        </Card>
        <div className="mt-5">
          <GuestBanner />
        </div>
        <GuestCard />
        <p className="mt-5 text-sm text-muted">
          {t.login.where}{' '}
          <a href="/mycenter?tab=1" className="text-accent underline underline-offset-4">
            {pageNames.myCenter}
          </a>
        </p>
      </main>
    </div>
  )
}
