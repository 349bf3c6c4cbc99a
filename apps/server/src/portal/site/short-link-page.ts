import type { FastifyReply, FastifyRequest } from 'fastify'
import { cardOf, type LinkCard } from '../../storage/index.ts'
import type { Context } from '../context.ts'
import type { PageLang } from './built.ts'

/** The token of a short link in a path; undefined for other paths. */
export const shortLinkToken = (pathname: string): string | undefined => /^\/s\/([^/]{1,80})\/?$/.exec(pathname)?.[1]

/**
 * Sends the page of a short link. Programs that make previews of links run no scripts, so the head names what the link opens, unless it
 * is protected. All other links, also unknown ones, get the same page.
 */
export async function sendShortLinkPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, page, lang }: { token: string; page: string; lang: PageLang },
): Promise<FastifyReply> {
  const card = await cardOf(context, token, request.ip)
  return (
    reply
      .type('text/html; charset=utf-8')
      // Neither search engines nor caches may keep the address of a link.
      .header('x-robots-tag', 'noindex, nofollow')
      .header('cache-control', 'no-store')
      .send(card ? withCard(page, card, `${context.portalUrl()}/s/${token}`, lang) : page)
  )
}

const KINDS: Record<PageLang, Record<LinkCard['kind'], string>> = {
  en: { file: 'File', folder: 'Folder', group: 'Folder' },
  zh: { file: '文件', folder: '文件夹', group: '文件夹' },
}

/** `page` with the metadata of the Open Graph protocol. */
export function withCard(page: string, { kind, name, size, image }: LinkCard, url: string, lang: PageLang): string {
  const description = `${KINDS[lang][kind]} · ${formatSize(size)}`
  const head = [
    meta('og:type', 'website'),
    meta('og:site_name', 'Tidenet'),
    meta('og:title', name),
    meta('og:description', description),
    meta('og:url', url),
    ...(image ? [meta('og:image', `${url}/image`)] : []),
    `<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}" />`,
  ]
  return page
    .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(name)} · Tidenet</title>`)
    .replace('</head>', () => `${head.join('\n    ')}\n  </head>`)
}

const meta = (property: string, content: string): string =>
  `<meta property="${property}" content="${escapeHtml(content)}" />`

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[power]}`
}
