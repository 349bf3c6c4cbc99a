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

/** Draws pages at build, in one language: `prerenderLang` of the global object says which, before this module is loaded. */

export interface Place {
  /** The address, with `?slug=` for an article. */
  href: string
  /** Where it lies below the language's folder. */
  file: string
  frame: Frame
}

export interface Drawing extends Place {
  title: string
  description: string
  locale: string
  html: string
}

await loadTexts()

const places = (kind: 'drawn' | 'prepared'): Place[] =>
  (Object.keys(addresses) as AddressName[])
    .filter((name) => 'drawn' in addresses[name] === (kind === 'drawn'))
    .map((name) => addresses[name])
    .map(({ path, frame }) => ({ href: path, file: path === '/' ? 'index.html' : `${path.slice(1)}.html`, frame }))

/** All addresses that are drawn. */
export const drawn = (): Place[] => [
  ...places('drawn'),
  ...articles.map(({ slug }) => ({
    href: `/learndetail?slug=${slug}`,
    file: `learndetail/${slug}.html`,
    frame: 'site' as const,
  })),
]

/** All others: what they show depends on who asks. */
export const prepared = (): Place[] => places('prepared')

export async function draw(place: Place): Promise<Drawing> {
  const { pathname, searchParams } = new URL(place.href, 'http://portal')
  const name = addressAt(pathname) as AddressName
  const article = articles.find(({ slug }) => slug === searchParams.get('slug'))
  return {
    ...place,
    locale,
    html: await render(createAppRouter(createMemoryHistory({ initialEntries: [place.href] }))),
    title: article ? t.titles.page(article.title) : name === 'home' ? t.titles.home : titleOf(name),
    description: article?.summary ?? descriptions()[name] ?? '',
  }
}

/** A page before it knows what to show: what stands around it, where something does. */
export async function prepare(place: Place): Promise<Drawing> {
  // Only who is signed in gets to see the console; until it is known who that is, public/theme.js shows it to nobody else.
  useSession.setState({ address: place.frame === 'console' ? '-' : '' })
  const nowhere = (around: NotFoundRouteComponent) =>
    render(createAppRouter(createMemoryHistory({ initialEntries: ['/-'] }), around))
  return {
    ...place,
    locale,
    html:
      place.href === addresses.dashboard.path
        ? await render(createAppRouter(createMemoryHistory({ initialEntries: [place.href] })))
        : place.frame === 'console'
          ? await nowhere(WaitingInConsole)
          : place.frame === 'site'
            ? await nowhere(WaitingOnSite)
            : '',
    title: titleOf(addressAt(place.href) as AddressName),
    description: t.shell.footer,
  }
}

/** What stands at the top of the services host. It is in no map: search engines are shown the portal's own pages. */
export async function drawServicesHost(): Promise<Drawing> {
  useSession.setState({ address: '' })
  // Fetched as the pages are: what waits for its texts must not be a part of this.
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

const WaitingOnSite = () => (
  <Site>
    <Loading page />
  </Site>
)

const WaitingInConsole = () => (
  <ConsolePage>
    <Loading page />
  </ConsolePage>
)

const titleOf = (name: AddressName): string => t.titles.page(pageNames[name])

async function render(router: AppRouter): Promise<string> {
  await router.load()
  // A long page would otherwise be put in its place by a script, which the policy of the portal refuses.
  const { prelude } = await prerender(<App router={router} />, { progressiveChunkSize: Number.POSITIVE_INFINITY })
  return (
    // The router adds a script of its own, which the policy of the portal would refuse.
    (await new Response(prelude).text())
      .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
      // What is typed or chosen before the portal takes the page's place would be lost.
      .replace(/<(?:button|input|textarea|select)\b/g, '$& disabled data-prerendered')
  )
}
