import { type Lang, langOf } from '@tidenet/contract'
import { escapeHtml } from '../../platform/mail/templates.ts'
import { type PageName, texts } from './texts.ts'

/** Pages that the ingress shows itself, without scripts. */

const STYLE = `:root{color-scheme:light dark;font:16px/1.55 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f6f7f9,#0c0f14);color:light-dark(#131722,#e8ebf1)}
main{box-sizing:border-box;width:min(28rem,100%);padding:1.5rem}
h1{font-size:1.35rem;margin:0 0 .5rem}p{margin:0 0 1.25rem;color:light-dark(#4d5565,#a4adbd)}
label{display:block;font-weight:500;margin-bottom:.35rem}
input,button,a{font:inherit;box-sizing:border-box;min-height:44px;border-radius:8px;padding:.5rem .9rem}
input{width:100%;margin-bottom:.9rem;border:1px solid light-dark(#b9c0cc,#3c4454);background:light-dark(#fff,#151a22);color:inherit}
button,a{display:inline-flex;align-items:center;border:0;background:light-dark(#1f5fd6,#7aa7ff);color:light-dark(#fff,#08111f);text-decoration:none;cursor:pointer}
small{display:block;margin-top:1.5rem;color:light-dark(#667085,#8b95a7)}
:focus-visible{outline:3px solid light-dark(#1f5fd6,#7aa7ff);outline-offset:2px}`

export interface Page {
  status: number
  name: PageName
  /** Path to return to. */
  to?: string
  /** Where its account signs in. */
  signIn?: string
}

/** @param headers of the request, for its language */
export function pageOf(
  page: Page,
  host: string,
  headers: { cookie?: string | undefined; 'accept-language'?: string | undefined },
) {
  const lang: Lang = langOf({ accept: headers['accept-language'] ?? '' })
  const own = texts[lang]
  const { title, text } = own[page.name]
  const asks = page.name === 'password' || page.name === 'wrong'
  const form = `<form method="post" action="/.tidenet/password"><input type="hidden" name="to" value="${escapeHtml(page.to ?? '/')}">
<label for="password">${own.field}</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>${own.open}</button></form>`
  const body = `<!doctype html>
<html lang="${lang === 'cn' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p${page.name === 'wrong' ? ' role="alert"' : ''}>${text}</p>
${asks ? form : ''}${page.signIn ? `<a href="${escapeHtml(page.signIn)}">${own.enter}</a>` : ''}
<small>${escapeHtml(host)}</small></main></body></html>
`
  return {
    status: page.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // Not `form-action`: browsers also apply it to the redirect after the form.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'accept-language',
    },
    body,
  }
}
