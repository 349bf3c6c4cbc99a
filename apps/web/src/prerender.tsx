import { createMemoryHistory, type NotFoundRouteComponent } from '@tanstack/react-router'
import { prerender } from 'react-dom/static'

export { addresses } from './addresses.ts'

import { type AddressName, addressAt, addresses, type Frame } from './addresses.ts'
import { App } from './app.tsx'
import { descriptions } from './descriptions.ts'
import { articles } from './features/learn/articles.ts'
import { ConsolePage } from './features/shell/console.tsx'
import { Site } from './features/shell/site.tsx'
import { pageNames } from './lib/page-names.ts'
import { useSession } from './lib/session-store.ts'
import { loadTexts, locale, t } from './lib/texts.ts'
import { type AppRouter, createAppRouter } from './routes.tsx'
import { Loading } from './ui/loading.tsx'

/** Renders pages at build, in the language that `globalThis.prerenderLang` names before this module is loaded. */

export interface PageFile {
  /** The address, with `?slug=` for an article. */
  href: string
  /** Path within the language's folder. */
  file: string
  frame: Frame
}

export interface RenderedPage extends PageFile {
  title: string
  description: string
  locale: string
  html: string
}

await loadTexts()

const pageFiles = (prerendered: boolean): PageFile[] =>
  (Object.keys(addresses) as AddressName[])
    .filter((name) => 'prerendered' in addresses[name] === prerendered)
    .map((name) => addresses[name])
    .map(({ path, frame }) => ({ href: path, file: path === '/' ? 'index.html' : `${path.slice(1)}.html`, frame }))

export const prerenderedPages = (): PageFile[] => [
  ...pageFiles(true),
  ...articles.map(({ slug }) => ({
    href: `/learndetail?slug=${slug}`,
    file: `learndetail/${slug}.html`,
    frame: 'site' as const,
  })),
]

/** Pages whose content depends on the session. */
export const shellPages = (): PageFile[] => pageFiles(false)

export async function renderPage(page: PageFile): Promise<RenderedPage> {
  const { pathname, searchParams } = new URL(page.href, 'http://portal')
  const name = addressAt(pathname) as AddressName
  const article = articles.find(({ slug }) => slug === searchParams.get('slug'))
  return {
    ...page,
    locale,
    html: await render(createAppRouter(createMemoryHistory({ initialEntries: [page.href] }))),
    title: article ? t.titles.page(article.title) : name === 'home' ? t.titles.home : titleOf(name),
    description: article?.summary ?? descriptions()[name] ?? '',
  }
}

/** Pages of the console that show more than a loading indicator before their data arrives, which is most of their first paint on a phone. */
const SHOWN_WITHOUT_DATA = new Set<string>([addresses.dashboard.path, addresses.files.path, addresses.links.path])

/** The frame of a page, with a loading indicator or what it shows without data; empty for pages without a frame. */
export async function renderShell(page: PageFile): Promise<RenderedPage> {
  // Render the console as if somebody were signed in; public/theme.js hides it from visitors without a session.
  useSession.setState({ address: page.frame === 'console' ? '-' : '' })
  const renderFrame = (frame: NotFoundRouteComponent) =>
    render(createAppRouter(createMemoryHistory({ initialEntries: ['/-'] }), frame))
  return {
    ...page,
    locale,
    html: SHOWN_WITHOUT_DATA.has(page.href)
      ? await render(createAppRouter(createMemoryHistory({ initialEntries: [page.href] })))
      : page.frame === 'console'
        ? await renderFrame(ConsoleShell)
        : page.frame === 'site'
          ? await renderFrame(SiteShell)
          : '',
    title: titleOf(addressAt(page.href) as AddressName),
    description: t.shell.footer,
  }
}

/** The home page of the services host. Not in the sitemap: search engines index the portal's own pages. */
export async function renderServicesHome(): Promise<RenderedPage> {
  useSession.setState({ address: '' })
  // A dynamic import, because a static one would make this module wait for the texts of the page.
  const { ServicesHome } = await import('./features/home/services-home.tsx')
  const onSite = () => (
    <Site>
      <ServicesHome />
    </Site>
  )
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/-'] }), onSite)
  return {
    href: '/',
    file: 'services-host.html',
    frame: 'site',
    locale,
    html: await render(router),
    title: t.titles.home,
    description: descriptions().services ?? '',
  }
}

const SiteShell = () => (
  <Site>
    <Loading page />
  </Site>
)

const ConsoleShell = () => (
  <ConsolePage>
    <Loading page />
  </ConsolePage>
)

const titleOf = (name: AddressName): string => t.titles.page(pageNames[name])

async function render(router: AppRouter): Promise<string> {
  await router.load()
  // Larger pages would be streamed and put in place by an inline script, which the content security policy blocks.
  const { prelude } = await prerender(<App router={router} />, { progressiveChunkSize: Number.POSITIVE_INFINITY })
  return (
    // The router adds an inline script, which the content security policy blocks.
    (await new Response(prelude).text())
      .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
      // Input made before the application takes over would be lost.
      .replace(/<(?:button|input|textarea|select)\b/g, '$& disabled data-prerendered')
  )
}
