import { Tabs } from '@base-ui/react/tabs'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { sessionReady } from '../../lib/session.ts'
import { useSession } from '../../lib/session-store.ts'
import { isServicesVariant } from '../../lib/variant.ts'
import type { LoginMode, LoginSearch } from '../../searches.ts'
import { Loading, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { SignInReturn } from '../external-sign-in/sign-in-return.tsx'
import { usePendingSignIn } from '../security/pending-sign-in.ts'
import { OtherSignInMethods } from './other-sign-in-methods.tsx'
import { ResetForm } from './reset-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { t } from './texts.ts'

const SecondFactorStep = lazy(async () => ({
  default: (await import('../security/second-factor-step.tsx')).SecondFactorStep,
}))

/** Where the forms are shown: on their own page, or in a dialog over the home page. */
export type LoginPlace = '/login' | '/'

/** Sign in, sign up and reset the password. `title` is the heading, unless a dialog shows it. */
export function LoginForms({
  place,
  mode,
  redirect,
  title,
}: LoginSearch & { place: LoginPlace; mode: LoginMode; title?: string }) {
  const navigate = useNavigate()
  const router = useRouter()
  const account = useSession((session) => session.address && session.emailAddress)
  const signedIn = useSession((session) => session.address !== '')
  const [wasReset, setWasReset] = useState(false)
  // Keeps the input when the user switches between the forms.
  const [email, setEmail] = useState('')
  const pending = usePendingSignIn((state) => state.pending)
  // A signed-in user stays here to change the password.
  const changesPassword = mode === 'reset' && place === '/login'
  const own = changesPassword && account !== ''
  const a = t.form

  useEffect(() => {
    let mounted = true
    void sessionReady.then(() => {
      if (!mounted || !signedIn || changesPassword) return
      // The dashboard has the first steps of a new account.
      router.history.replace(redirect ?? (mode === 'signup' || isServicesVariant() ? '/dashboard' : '/fileStorage'))
    })
    return () => {
      mounted = false
    }
  }, [signedIn, changesPassword, mode, redirect, router])

  // In the dialog, the URL says which form is open.
  const search = (next: LoginMode): LoginSearch => ({
    ...((next !== 'password' || place === '/') && { mode: next }),
    ...(redirect && { redirect }),
  })
  const goTo = (next: LoginMode) => void navigate({ to: place, search: search(next), replace: true })
  const shared = { email, onEmail: setEmail }
  const afterReset = () => {
    if (own) {
      toast.success(t.changeDone)
      void navigate({ to: '/myAccount' })
      return
    }
    setWasReset(true)
    goTo('password')
  }
  if (pending)
    return (
      <Suspense fallback={<Loading />}>
        <SecondFactorStep pending={pending} />
      </Suspense>
    )
  return (
    <>
      {title && <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>}
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
            <FormLink to={place} search={search('password')}>
              {mode === 'signup' ? a.toSignIn : a.backToSignIn}
            </FormLink>
          ) : (
            <>
              <FormLink to={place} search={search('signup')}>
                {a.toSignUp}
              </FormLink>
              <FormLink to={place} search={search('reset')}>
                {a.toReset}
              </FormLink>
            </>
          )}
        </p>
      )}
      {mode !== 'reset' && <OtherSignInMethods redirect={redirect} />}
    </>
  )
}

function FormLink({ to, search, children }: { to: LoginPlace; search: LoginSearch; children: string }) {
  return (
    <Link
      to={to}
      search={search}
      // A prerendered link would drop the `redirect` parameter.
      inert={import.meta.env.SSR}
      className="inline-flex min-h-7 items-center text-accent hover:underline"
    >
      {children}
    </Link>
  )
}

/** The title of the forms. @param own the password of the signed-in account is changed */
export const loginTitle = (mode: LoginMode, own: boolean): string =>
  mode === 'signup'
    ? t.form.signUpTitle
    : mode === 'reset'
      ? own
        ? t.changeTitle
        : t.form.resetTitle
      : t.form.signInTitle
