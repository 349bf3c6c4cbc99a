import { formatBytes } from '../limits/command.ts'
import type { DeviceState } from './state.ts'
import { en, type PageTexts, zh } from './texts.ts'

/** The page of a device, made on the device: its script only asks for parts and sends forms. */

export type PageLang = 'en' | 'zh'
export const pageTexts = (lang: PageLang): PageTexts => (lang === 'zh' ? zh : en)

const html = (text: string | number) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)

const LOGO = `<svg aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M5 14c3.7 0 3.7-3 7.3-3s3.7 3 7.4 3 3.7-3 7.3-3M5 21.5c3.7 0 3.7-3 7.3-3s3.7 3 7.4 3 3.7-3 7.3-3" fill="none" stroke="var(--on-accent)" stroke-width="2.6" stroke-linecap="round"/></svg>`

/** The document; what it shows is loaded with the token. */
export const shell = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidenet</title>
<link rel="stylesheet" href="/style.css">
<script src="/script.js" defer></script>
</head>
<body>
<header><div class="bar"><span class="logo">${LOGO}Tidenet</span><button type="button" id="lang" class="ghost">中文</button></div></header>
<main id="main"></main>
</body>
</html>
`

type Tone = 'good' | 'warn' | 'muted'

export function statusOf(state: DeviceState): { key: keyof PageTexts['states']; tone: Tone } {
  if (state.leaving?.remaining === 0) return { key: 'left', tone: 'good' }
  if (state.away) return { key: state.away, tone: 'warn' }
  if (!state.registered) return { key: 'offline', tone: 'warn' }
  return state.limits.leaving ? { key: 'leaving', tone: 'warn' } : { key: 'online', tone: 'good' }
}

const row = (name: string, value: string) => `<div><dt>${html(name)}</dt><dd>${value}</dd></div>`
const figure = (name: string, value: string) =>
  `<div class="figure"><dt>${html(name)}</dt><dd>${html(value)}</dd></div>`
const points = (millionths: number) => (millionths / 1e6).toFixed(millionths > 0 && millionths < 1e6 ? 3 : 1)
const rateText = (bytesPerSecond: number) => `${((bytesPerSecond * 8) / 1e6).toFixed(1)} Mbit/s`

/** The part that is loaded again every few seconds. */
export function livePart(state: DeviceState, lang: PageLang): string {
  const t = pageTexts(lang)
  const { key, tone } = statusOf(state)
  const { stats, limits, leaving, earnings, updates } = state
  const share = stats.capacity > 0 ? Math.min(100, (100 * stats.used) / stats.capacity) : 0
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  const sent = gigabytes(state.sent)
  const { failed } = updates
  return `
<section class="head"><div><h1>${html(t.title)}</h1>
<p class="state ${tone}"><span class="dot" aria-hidden="true"></span>${html(t.states[key])}</p></div>
<button type="button" data-change='${html(JSON.stringify({ what: 'pause', on: !limits.paused }))}' class="secondary">${html(limits.paused ? t.resume : t.pause)}</button></section>
<p class="muted small">${html(t.pauseHint)}</p>
${leaving ? `<p class="note">${html(leaving.remaining === null ? t.notAccepted : t.moved(leaving.of - leaving.remaining, leaving.of))}</p>` : ''}
${failed ? `<p class="note warn">${html(t.notUpdated(failed.version, t.problems[failed.problem]))}</p>` : ''}
<section class="card"><h2>${html(t.earnings)} <small>${html(t.points)}</small></h2>
${
  earnings === null
    ? `<p class="muted">${html(t.noEarnings)}</p>`
    : earnings.owned
      ? `<dl class="figures">${figure(t.today, points(earnings.today))}${figure(t.month, points(earnings.month))}${figure(t.total, points(earnings.total))}</dl>`
      : `<p class="muted">${html(t.unowned)}</p>`
}</section>
<div class="two">
<section class="card"><h2>${html(t.storage)}</h2>
<p class="mono">${html(t.used(formatBytes(stats.used), formatBytes(stats.capacity)))}</p>
<progress max="100" value="${share.toFixed(1)}" aria-label="${html(t.storage)}"></progress>
<dl>${row(t.contents, html(stats.contents.toLocaleString('en')))}</dl></section>
<section class="card"><h2>${html(t.traffic)}</h2>
<dl>${row(t.sending, html(rateText(stats.send_rate)))}${row(t.sent, html(limits.monthly === undefined ? sent : t.sentOf(sent, gigabytes(limits.monthly))))}${row(t.transfers, html(stats.uploads + stats.downloads))}</dl></section>
</div>
<section class="card"><dl>${row(t.node, `<code>${html(state.id)}</code>`)}${state.reach ? row(t.reach, html(t.ways[state.reach])) : ''}${row(t.version, html(state.version))}${row(t.portal, `<a href="${html(state.portal)}/devices" target="_blank" rel="noreferrer">${html(state.portal)}</a>`)}</dl></section>`
}

/** Digits after the point as far as they matter. */
const plain = (value: number) => Number(value.toFixed(3)).toString()

/** The forms; loaded when the page opens, and after a change. */
export function formPart(state: DeviceState, lang: PageLang): string {
  const t = pageTexts(lang)
  const { limits, capacity } = state
  const rates = [...limits.rates.map((rate) => ({ ...rate, mbits: plain((rate.bytesPerSecond * 8) / 1e6) }))]
  const lines = [...rates, { from: 0, to: 24, mbits: '' }]
  const line = ({ from, to, mbits }: (typeof lines)[number]) => `
<div class="rate"><label>${html(t.from)} <input type="number" name="from" min="0" max="24" value="${from}"> :00</label>
<label>${html(t.to)} <input type="number" name="to" min="0" max="24" value="${to}"> :00</label>
<label>${html(t.speed)} <input type="number" name="mbits" min="0" step="any" value="${mbits}"> Mbit/s</label></div>`
  return `
<section class="card"><h2>${html(t.limits)}</h2>
<form id="limits">
<label class="field"><span>${html(t.space)}</span><span class="input"><input type="number" name="space" min="0" step="any" value="${limits.space === undefined ? '' : plain(limits.space / 2 ** 30)}"> GiB</span><small>${html(t.spaceHint(formatBytes(capacity)))}</small></label>
<label class="field"><span>${html(t.monthly)}</span><span class="input"><input type="number" name="monthly" min="0" step="any" value="${limits.monthly === undefined ? '' : plain(limits.monthly / 1e9)}"> GB</span><small>${html(t.monthlyHint)}</small></label>
<fieldset class="field"><legend>${html(t.rates)}</legend>${lines.map(line).join('')}<small>${html(t.ratesHint)}</small></fieldset>
${state.updates.can ? `<label class="check"><input type="checkbox" name="updates"${limits.updates === false ? '' : ' checked'}> <span>${html(t.updates)}<small>${html(t.updatesHint)}</small></span></label>` : ''}
<div class="actions"><button class="primary">${html(t.save)}</button><p id="said" role="status"></p></div>
</form></section>
<section class="card"><h2>${html(t.leave)}</h2>
${
  limits.leaving
    ? `<button type="button" class="secondary" data-change='${html(JSON.stringify({ what: 'leave', on: false }))}'>${html(t.stay)}</button>`
    : `<p class="muted">${html(t.leaveHint)}</p><details><summary>${html(t.leave)}</summary><button type="button" class="danger" data-change='${html(JSON.stringify({ what: 'leave', on: true }))}'>${html(t.leaveNow)}</button></details>`
}
</section>`
}
