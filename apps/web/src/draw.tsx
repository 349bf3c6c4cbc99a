import { createMemoryHistory } from '@tanstack/react-router'
import { prerender } from 'react-dom/static'

export { addresses } from './addresses.ts'

import { type AddressName, addressAt, addresses } from './addresses.ts'
import { App } from './app.tsx'
import { descriptions } from './descriptions.ts'
import { articles } from './features/learn/articles.ts'
import { loadTexts, locale, t } from './lib/texts.ts'
import { createAppRouter } from './routes.tsx'

/** Draws pages at build, in one language: `drawnIn` of the global object says which, before this module is loaded. */

export interface Drawing {
  /** The address, with `?slug=` for an article. */
  href: string
  /** Where it lies below the language's folder. */
  file: string
  title: string
  description: string
  locale: string
  html: string
}

await loadTexts()

/** All addresses that are drawn. */
export function drawn(): { href: string; file: string }[] {
  const pages = (Object.keys(addresses) as AddressName[])
    .map((name) => addresses[name])
    .filter((address) => 'drawn' in address)
    .map(({ path }) => ({ href: path, file: path === '/' ? 'index.html' : `${path.slice(1)}.html` }))
  return [
    ...pages,
    ...articles.map(({ slug }) => ({ href: `/learndetail?slug=${slug}`, file: `learndetail/${slug}.html` })),
  ]
}

export async function draw({ href, file }: { href: string; file: string }): Promise<Drawing> {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [href] }))
  await router.load()
  // A long page would otherwise be put in its place by a script, which the policy of the portal refuses.
  const { prelude } = await prerender(<App router={router} />, { progressiveChunkSize: Number.POSITIVE_INFINITY })
  // The router adds a script of its own, which the policy of the portal would refuse.
  const html = (await new Response(prelude).text())
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    // What is typed or chosen before the portal takes the page's place would be lost.
    .replace(/<(?:button|input|textarea|select)\b/g, '$& disabled data-drawn')
  const { pathname, searchParams } = new URL(href, 'http://portal')
  const name = addressAt(pathname) as AddressName
  const article = articles.find(({ slug }) => slug === searchParams.get('slug'))
  return {
    href,
    file,
    locale,
    html,
    title: article ? t.titles.page(article.title) : name === 'home' ? t.titles.home : t.titles.page(t.pages[name]),
    description: article?.summary ?? descriptions()[name] ?? '',
  }
}
