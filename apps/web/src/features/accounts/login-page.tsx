import { Tabs } from '@base-ui/react/tabs'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { sessionReady } from '../../lib/session.ts'
import { useSession } from '../../lib/session-store.ts'
import { isServicesVariant } from '../../lib/variant.ts'
import type { LoginMode } from '../../routes/public.ts'
import { Card, Loading, Notice } from '../../ui/states.tsx'
import { tell } from '../../ui/toast.tsx'
import { SignInReturn } from '../identities/sign-in-return.tsx'
import { useOwed } from '../security/owed.ts'
import { usePageTitle } from '../shell/page-title.tsx'
import { AccountGives } from './account-gives.tsx'
import { OtherWays } from './other-ways.tsx'
import { ResetForm } from './reset-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { t } from './texts.ts'

const SecondFactorStep = lazy(async () => ({
  default: (await import('../security/second-factor-step.tsx')).SecondFactorStep,
}))

/** Signing in, opening an account and setting a new password, in one place. */
export function LoginPage() {
  const { mode = 'password', redirect } = useSearch({ from: '/site/login' })
  const navigate = useNavigate()
  const router = useRouter()
  const account = useSession((session) => session.address && session.emailAddress)
  const signedIn = useSession((session) => session.address !== '')
  const [wasReset, setWasReset] = useState(false)
  // What was typed stays when one changes between the forms.
  const [email, setEmail] = useState('')
  const owed = useOwed((state) => state.owed)
  const own = mode === 'reset' && account !== ''
  const a = t.form
  const titles: Record<LoginMode, string> = {
    password: a.signInTitle,
    code: a.signInTitle,
    signup: a.signUpTitle,
    reset: own ? t.changeTitle : a.resetTitle,
  }
  usePageTitle(titles[mode])

  useEffect(() => {
    let here = true
    void sessionReady.then(() => {
      // Who changes the own password is signed in and stays here for it.
      if (!here || !signedIn || mode === 'reset') return
      router.history.replace(redirect ?? (isServicesVariant() ? '/dashboard' : '/fileStorage'))
    })
    return () => {
      here = false
    }
  }, [signedIn, mode, redirect, router])

  const search = (next: LoginMode) => ({ ...(next !== 'password' && { mode: next }), ...(redirect && { redirect }) })
  const goTo = (next: LoginMode) => void navigate({ to: '/login', search: search(next), replace: true })
  const shared = { email, onEmail: setEmail }
  const afterReset = () => {
    if (own) {
      tell(t.changeDone)
      void navigate({ to: '/myAccount' })
      return
    }
    setWasReset(true)
    goTo('password')
  }
  return (
    <div className="mx-auto grid max-w-6xl items-start gap-12 px-5 py-10 sm:px-8 sm:py-14 lg:grid-cols-[minmax(0,27rem)_1fr] lg:gap-14">
      <Card className="w-full max-w-md justify-self-center p-6 sm:p-8">
        {owed ? (
          <Suspense fallback={<Loading />}>
            <SecondFactorStep owed={owed} />
          </Suspense>
        ) : (
          <>
            <h1 className="text-2xl font-semibold tracking-tight">{titles[mode]}</h1>
            <p className="mt-1 mb-6 text-sm text-muted">{t.intro[mode]}</p>
            <SignInReturn />
            {wasReset && mode === 'password' && (
              <div className="mb-5">
                <Notice tone="good" live>
                  {a.resetDone}
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
                      {tab === 'password' ? a.byPassword : a.byCode}
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
                key={account}
                {...(own ? { email: account, onEmail: () => {} } : shared)}
                own={own}
                onDone={afterReset}
              />
            )}
            {!own && (
              <p className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
                {mode === 'signup' || mode === 'reset' ? (
                  <Other search={search('password')}>{mode === 'signup' ? a.toSignIn : a.backToSignIn}</Other>
                ) : (
                  <>
                    <Other search={search('signup')}>{a.toSignUp}</Other>
                    <Other search={search('reset')}>{a.toReset}</Other>
                  </>
                )}
              </p>
            )}
            {mode !== 'reset' && <OtherWays redirect={redirect} />}
          </>
        )}
      </Card>
      {!own && <AccountGives />}
    </div>
  )
}

function Other({ search, children }: { search: { mode?: LoginMode; redirect?: string }; children: string }) {
  return (
    <Link
      to="/login"
      search={search}
      // As it is drawn at build it does not know where one wanted to go.
      inert={import.meta.env.SSR}
      className="inline-flex min-h-7 items-center text-accent hover:underline"
    >
      {children}
    </Link>
  )
}
