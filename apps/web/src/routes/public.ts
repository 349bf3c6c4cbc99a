import { createRoute, redirect } from '@tanstack/react-router'
import { isServicesVariant } from '../lib/variant.ts'
import {
  type ArticleType,
  articleTypes,
  count,
  exchangeSearch,
  linkSearch,
  loginSearch,
  oneOf,
  pageSearch,
  previewSearch,
  reportSearch,
  type Search,
  shareSearch,
  text,
  whisperSearch,
} from '../searches.ts'
import { site } from './frames.tsx'
import { page } from './lazy.ts'

const getParentRoute = () => site

const servicesHome = async () => ({ HomePage: (await import('../features/home/services-home.tsx')).ServicesHome })

export const publicRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    // Either parameter opens the login dialog.
    validateSearch: loginSearch,
    component: page(() => (isServicesVariant() ? servicesHome() : import('../features/home/home-page.tsx'))),
  }),
  createRoute({
    getParentRoute,
    path: '/services',
    component: page(() => import('../features/products/services-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/tss',
    component: page(() => import('../features/products/storage-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/tc2',
    component: page(() => import('../features/products/containers-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/pricing',
    component: page(() => import('../features/orders/price-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/pcdn',
    component: page(() => import('../features/products/pcdn-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/aidata',
    component: page(() => import('../features/products/ai-data-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/aiproxy',
    component: page(() => import('../features/products/ai-proxy-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/storagenetwork',
    validateSearch: (search: Search): { node?: string | undefined } => ({ node: text(search, 'node') }),
    component: page(() => import('../features/network/network-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/distribution',
    component: page(() => import('../features/network/distribution-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/chain',
    component: page(() => import('../features/chain/chain-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/chain/tx/$hash',
    component: page(() => import('../features/chain/transaction-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/chain/block/$height',
    validateSearch: pageSearch,
    component: page(() => import('../features/chain/block-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/chain/address/$address',
    validateSearch: pageSearch,
    component: page(() => import('../features/chain/address-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/introduction',
    component: page(() => import('../features/company/introduction-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/blockchain',
    component: page(() => import('../features/company/blockchain-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/ecology',
    validateSearch: (search: Search): { kind?: string | undefined; open?: string | undefined } => ({
      kind: text(search, 'kind'),
      open: text(search, 'open'),
    }),
    component: page(() => import('../features/company/ecology-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/learn',
    validateSearch: (search: Search): { type?: ArticleType | undefined } => ({
      type: oneOf(search, 'type', articleTypes),
    }),
    component: page(() => import('../features/learn/learn-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/learndetail',
    validateSearch: (search: Search): { slug?: string | undefined } => ({ slug: text(search, 'slug') }),
    // Loaded before the route renders, so that the prerendered article stays visible until then.
    loaderDeps: ({ search }) => ({ slug: search.slug ?? '' }),
    loader: async ({ deps }) => (await import('../features/learn/articles.ts')).readArticle(deps.slug),
    component: page(() => import('../features/learn/article-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/developer',
    component: page(() => import('../features/developer/developer-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/docs/api',
    component: page(() => import('../features/docs/api-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/docs/start',
    component: page(() => import('../features/docs/start-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/docs/s3',
    component: page(() => import('../features/docs/s3-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/docs/ipfs',
    component: page(() => import('../features/docs/ipfs-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/docs/imports',
    component: page(() => import('../features/docs/imports-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/download',
    component: page(() => import('../features/download/download-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/earn',
    component: page(() => import('../features/earn/earn-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/verify',
    component: page(() => import('../features/verify/verify-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/about',
    component: page(() => import('../features/company/about-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/morelog',
    component: page(() => import('../features/company/changelog-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/privacy-policy',
    component: page(() => import('../features/company/privacy-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/whisper',
    validateSearch: whisperSearch,
    component: page(() => import('../features/transcription/whisper-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/exchangePnuts',
    validateSearch: exchangeSearch,
    component: page(() => import('../features/exchange/exchange-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/report',
    validateSearch: reportSearch,
    component: page(() => import('../features/abuse/report-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/dev/ui',
    component: page(() => import('../features/dev/design-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/login',
    validateSearch: loginSearch,
    component: page(() => import('../features/accounts/login-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/undoEmail',
    component: page(() => import('../features/account/undo-email-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/unsubscribe',
    validateSearch: (search: Search): { token?: string | undefined } => ({ token: text(search, 'token') }),
    component: page(() => import('../features/account/unsubscribe-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/signup',
    beforeLoad: () => {
      throw redirect({ to: '/login', search: { mode: 'signup' }, replace: true })
    },
  }),
] as const

/** Anonymous uploads and shares. */

export const fileRoutes = [
  createRoute({
    getParentRoute,
    path: '/Upload',
    caseSensitive: true,
    component: page(() => import('../features/uploads/try-upload-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/newUpload',
    component: page(() => import('../features/uploads/new-upload-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/homeupload',
    validateSearch: (search: Search): { cid?: string | undefined; name?: string | undefined } => ({
      cid: text(search, 'cid'),
      name: text(search, 'name'),
    }),
    component: page(() => import('../features/uploads/uploaded-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/preview',
    validateSearch: previewSearch,
    component: page(() => import('../features/shares/preview-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/share',
    validateSearch: (search: Search) => ({ ...shareSearch(search), id: text(search, 'id') }),
    component: page(() => import('../features/shares/share-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/s/$token',
    validateSearch: linkSearch,
    component: page(() => import('../features/shares/short-link-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/distributionstatus',
    validateSearch: shareSearch,
    component: page(() => import('../features/shares/shared-file-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/groupPreview',
    validateSearch: shareSearch,
    component: page(() => import('../features/shares/shared-folder-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/group',
    validateSearch: (search: Search) => ({ ...shareSearch(search), page: count(search, 'page') }),
    component: page(() => import('../features/shares/group-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/redirect',
    validateSearch: (search: Search): { url?: string | undefined; errCode?: string | number | undefined } => ({
      url: text(search, 'url'),
      errCode: typeof search.errCode === 'number' ? search.errCode : text(search, 'errCode'),
    }),
    component: page(() => import('../features/redirect/redirect-page.tsx')),
  }),
] as const
