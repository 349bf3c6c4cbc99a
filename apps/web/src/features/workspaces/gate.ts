import { redirect } from '@tanstack/react-router'
import { arrive } from './arrival.ts'
import { useConsole } from './session.ts'

/** A page of the console to go on to. */
export const pageWithin = (wanted: string | undefined): string | undefined =>
  wanted && /^\/console(\/[\w/-]*)?(\?[\w=&-]*)?$/.test(wanted) ? wanted : undefined

/** Sends whoever has not entered the console to its login, and back afterwards. @throws a redirect of the router */
export function demandConsole(href: string): void {
  if (useConsole.getState().token !== '') return
  const next = pageWithin(href)
  throw redirect({ to: '/console/login', search: next && next !== '/console' ? { next } : {} })
}

/** Takes out of the address what opens the console. @throws a redirect of the router to the address without it */
export function takeArrival(searchStr: string, next: string | undefined): void {
  if (!/[?&](account|ticket|password)=./.test(searchStr)) return
  arrive(searchStr)
  const emptied: Record<string, undefined> = { account: undefined, ticket: undefined, password: undefined }
  throw redirect({ to: '/console/login', search: { next, ...emptied }, replace: true })
}
