import { type AppError, type ErrorKey, errors } from '@tidenet/contract'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** Whether a person follows a link in a browser, rather than a program. */
export const followsLink = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')

/** What people are told in fewer kinds than programs. */
const kinds: Partial<Record<ErrorKey, ErrorKey>> = {
  tempDownloads: 'shareDownloadsExceeded',
  shareLimit: 'shareDownloadsExceeded',
  downloadQuotaExceeded: 'shareDownloadsExceeded',
  notFound: 'assetUnknown',
  badCid: 'assetUnknown',
}

/** The page of the portal that tells a person why a link led nowhere. */
export const explained = ({ portalUrl }: Pick<Context, 'portalUrl'>, { key }: AppError): string =>
  `${portalUrl()}/redirect?errCode=${errors[kinds[key] ?? key].err}`
