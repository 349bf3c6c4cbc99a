import { Tabs } from '@base-ui/react/tabs'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sessionReady } from '../../lib/session.ts'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import type { LoginMode } from '../../routes/public.ts'
import { Card, Notice } from '../../ui/states.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { ResetForm } from './reset-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

const titles: Record<LoginMode, () => string> = {
  password: () => t.accounts.signInTitle,
  code: () => t.accounts.signInTitle,
  signup: () => t.accounts.signUpTitle,
  reset: () => t.accounts.resetTitle,
}

/** Signing in, opening an account and setting a new password, in one place. */
export function LoginPage() {
  const { mode = 'password', redirect } = useSearch({ from: '/site/login' })
  const navigate = useNavigate()
  const router = useRouter()
  const signedIn = useSession((session) => session.address !== '')
  const [wasReset, setWasReset] = useState(false)
  // What was typed stays when one changes between the forms.
  const [email, setEmail] = useState('')
  const title = titles[mode]()
  usePageTitle(title)

  useEffect(() => {
    let here = true
    void sessionReady.then(() => {
      if (here && signedIn) router.history.replace(redirect ?? '/fileStorage')
    })
    return () => {
      here = false
    }
  }, [signedIn, redirect, router])

  const search = (next: LoginMode) => ({ ...(next !== 'password' && { mode: next }), ...(redirect && { redirect }) })
  const goTo = (next: LoginMode) => void navigate({ to: '/login', search: search(next), replace: true })
  const shared = { email, onEmail: setEmail }
  return (
    <div className="mx-auto max-w-md px-4 py-10 sm:py-16">
      <Card className="p-6 sm:p-8">
        <h1 className="mb-5 text-2xl font-semibold">{title}</h1>
        {wasReset && mode === 'password' && (
          <div className="mb-5">
            <Notice tone="good" live>
              {t.accounts.resetDone}
            </Notice>
          </div>
        )}
        {(mode === 'password' || mode === 'code') && (
          <Tabs.Root value={mode} onValueChange={goTo}>
            <Tabs.List className="mb-5 grid grid-cols-2 rounded-lg bg-sunken p-1">
              {(['password', 'code'] as const).map((tab) => (
                <Tabs.Tab
                  key={tab}
                  value={tab}
                  className="min-h-8 rounded-md px-3 text-sm text-muted data-active:bg-surface data-active:font-medium data-active:text-text data-active:shadow-sm"
                >
                  {tab === 'password' ? t.accounts.byPassword : t.accounts.byCode}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={mode}>
              <SignInForm key={mode} by={mode} {...shared} />
            </Tabs.Panel>
          </Tabs.Root>
        )}
        {mode === 'signup' && <SignUpForm {...shared} />}
        {mode === 'reset' && (
          <ResetForm
            {...shared}
            onDone={() => {
              setWasReset(true)
              goTo('password')
            }}
          />
        )}
        <p className="mt-6 flex flex-col gap-2 border-t border-line pt-4 text-sm">
          {mode !== 'signup' && (
            <Link to="/login" search={search('signup')} className="self-start text-accent hover:underline">
              {t.accounts.toSignUp}
            </Link>
          )}
          {mode === 'signup' && (
            <Link to="/login" search={search('password')} className="self-start text-accent hover:underline">
              {t.accounts.toSignIn}
            </Link>
          )}
          {mode === 'reset' ? (
            <Link to="/login" search={search('password')} className="self-start text-accent hover:underline">
              {t.accounts.backToSignIn}
            </Link>
          ) : (
            mode !== 'signup' && (
              <Link to="/login" search={search('reset')} className="self-start text-accent hover:underline">
                {t.accounts.toReset}
              </Link>
            )
          )}
        </p>
      </Card>
    </div>
  )
}
