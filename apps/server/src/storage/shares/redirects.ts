import { type AppError, type ErrorKey, errors } from '@tidenet/contract'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** Whether the request comes from a browser, which gets pages instead of JSON errors. */
export const isBrowser = (request: FastifyRequest): boolean => (request.headers.accept ?? '').includes('text/html')

/** The page distinguishes fewer errors than the API. */
const pageErrors: Partial<Record<ErrorKey, ErrorKey>> = {
  tempDownloads: 'shareDownloadsExceeded',
  shareLimit: 'shareDownloadsExceeded',
  downloadQuotaExceeded: 'shareDownloadsExceeded',
  visitorTrafficUsedUp: 'shareDownloadsExceeded',
  notFound: 'assetUnknown',
  badCid: 'assetUnknown',
}

/** The portal page that explains why a link does not work. */
export const errorPage = ({ portalUrl }: Pick<Context, 'portalUrl'>, { key }: AppError): string =>
  `${portalUrl()}/redirect?errCode=${errors[pageErrors[key] ?? key].err}`
