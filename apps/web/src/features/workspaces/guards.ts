import { redirect } from '@tanstack/react-router'
import { useConsole } from './session.ts'
import { storeUrlCredentials } from './url-credentials.ts'

/** Validates a path to continue to after the login: console pages only. */
export const consolePath = (path: string | undefined): string | undefined =>
  path && /^\/console(\/[\w/-]*)?(\?[\w=&.%+~-]*)?$/.test(path) ? path : undefined

/** Requires a console session. @throws a router redirect to the login page, which returns afterwards */
export function requireConsole(href: string): void {
  if (useConsole.getState().token !== '') return
  const next = consolePath(href)
  throw redirect({ to: '/console/login', search: next && next !== '/console' ? { next } : {} })
}

/** Stores credentials of the URL and removes them from it. @throws a router redirect to the URL without them */
export function takeUrlCredentials(searchStr: string, next: string | undefined): void {
  if (!/[?&](account|ticket|password)=./.test(searchStr)) return
  storeUrlCredentials(searchStr)
  const removed: Record<string, undefined> = { account: undefined, ticket: undefined, password: undefined }
  throw redirect({ to: '/console/login', search: { next, ...removed }, replace: true })
}
