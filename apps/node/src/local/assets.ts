/** Style and script of the page; the colours are those of the portal (apps/web/src/styles.css). */
export const STYLE = `
:root{color-scheme:light;--canvas:#f5f8f9;--surface:#fff;--sunken:#eaf0f2;--line:#d7e0e4;--control:#7d919b;--text:#10242d;--muted:#4c626d;--accent:#0b6477;--accent-strong:#084d5c;--on-accent:#fff;--danger:#b3261e;--good:#17683f;--warn:#7a4d00;--warn-soft:#fdf1d8;--soft:#e0f1f4}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;--canvas:#0c1418;--surface:#131f25;--sunken:#1b2a31;--line:#2a3c45;--control:#6d838e;--text:#e7eff2;--muted:#a3b6bf;--accent:#62c6d8;--accent-strong:#8fd9e6;--on-accent:#05222a;--danger:#ff9d94;--good:#7bd6a2;--warn:#f2c46d;--warn-soft:#35280c;--soft:#12333b}}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--text);font:1rem/1.5 Geist,system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei",sans-serif}
header{background:var(--surface);border-bottom:1px solid var(--line)}
.bar,main{max-width:46rem;margin:0 auto;padding:.75rem 1.25rem}
.bar,.head{display:flex;align-items:center;justify-content:space-between;gap:1rem}
.logo{display:flex;align-items:center;gap:.5rem;font-weight:600}
.logo svg{width:1.75rem;height:1.75rem}
main{padding:1.5rem 1.25rem 4rem}
h1{margin:0;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em}
h2{margin:0 0 .75rem;font-size:1rem}
h2 small,small{color:var(--muted);font-weight:400;font-size:.875rem}
.card{background:var(--surface);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;margin-top:1.25rem}
.two{display:grid;gap:0 1.25rem}
@media (min-width:40rem){.two{grid-template-columns:1fr 1fr}}
.state{display:flex;align-items:center;gap:.5rem;margin:.25rem 0 0;font-weight:500}
.dot{width:.625rem;height:.625rem;border-radius:50%;background:currentColor}
.good{color:var(--good)}.warn{color:var(--warn)}.muted{color:var(--muted);margin:0}.small{font-size:.875rem;margin-top:.5rem}
.note{background:var(--soft);border-radius:.5rem;padding:.625rem .875rem;margin:1rem 0 0;font-size:.9375rem}
.note.warn{background:var(--warn-soft)}
dl{margin:0}
dl>div:not(.figure){display:flex;justify-content:space-between;gap:1rem;padding:.25rem 0;font-size:.9375rem}
dt{color:var(--muted);white-space:nowrap}dd{margin:0;text-align:right;min-width:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.figures{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem}
.figure dd{text-align:left;font:500 1.5rem/1.3 "Geist Mono",ui-monospace,SFMono-Regular,Consolas,monospace}
.figure dt{font-size:.875rem}
code,.mono{font-family:"Geist Mono",ui-monospace,SFMono-Regular,Consolas,monospace;font-size:.9375rem}
.mono{margin:0}
progress{width:100%;height:.5rem;margin:.5rem 0;appearance:none;border:0;border-radius:1rem;overflow:hidden;background:var(--sunken)}
progress::-webkit-progress-bar{background:var(--sunken)}
progress::-webkit-progress-value{background:var(--accent)}
progress::-moz-progress-bar{background:var(--accent)}
button,summary{font-family:inherit;font-size:.875rem;font-weight:500;line-height:1.25rem;min-height:2.25rem;padding:.4375rem .875rem;border-radius:.5rem;border:1px solid transparent;cursor:pointer}
.primary{background:var(--accent);color:var(--on-accent)}.primary:hover{background:var(--accent-strong)}
.secondary,summary{background:var(--surface);color:var(--text);border-color:var(--control)}.secondary:hover,summary:hover{background:var(--sunken)}
.ghost{background:none;color:var(--text)}.ghost:hover{background:var(--sunken)}
.danger{background:var(--danger);color:var(--on-accent);margin-top:.75rem}
summary{display:inline-block;list-style:none}summary::-webkit-details-marker{display:none}
details{margin-top:.75rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.field{display:block;border:0;margin:0 0 1.25rem;padding:0;min-width:0}
.field>span:first-child,legend{display:block;font-size:.9375rem;font-weight:500;padding:0;margin-bottom:.25rem}
.field small,.check small{display:block;margin-top:.25rem}
input[type=number]{width:7.5rem;min-height:2.25rem;padding:.25rem .625rem;border:1px solid var(--control);border-radius:.5rem;background:var(--surface);color:inherit;font:inherit}
.rate{display:flex;flex-wrap:wrap;gap:.5rem 1rem;margin-bottom:.5rem;font-size:.9375rem}
.rate input{width:4.5rem}.rate input[name=mbits]{width:6rem}
.check{display:flex;gap:.625rem;align-items:flex-start;margin-bottom:1.25rem}
.check input{width:1.125rem;height:1.125rem;margin:.1875rem 0 0;accent-color:var(--accent)}
.actions{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem}.actions p{margin:0;font-size:.9375rem}
a{color:var(--accent)}
`

export const SCRIPT = `'use strict'
const main = document.getElementById('main')
const button = document.getElementById('lang')
let lang = localStorage.getItem('lang') || (/^zh/i.test(navigator.language) ? 'zh' : 'en')
let texts = {}
let shown = {}

async function call(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + (sessionStorage.getItem('token') || '-') },
    body: JSON.stringify({ lang, ...body }),
  })
  return { status: answer.status, ...(await answer.json()) }
}

function part(id) {
  let found = document.getElementById(id)
  if (!found) {
    found = document.createElement('div')
    found.id = id
    main.append(found)
  }
  return found
}

async function load(parts) {
  let answer
  try {
    answer = await call('/api/page', {})
  } catch {
    shown = {}
    if (texts.gone) part('live').innerHTML = '<p class="note warn">' + texts.gone + '</p>'
    return
  }
  texts = answer.texts || texts
  if (answer.status !== 200) {
    shown = {}
    main.innerHTML = '<p class="note">' + answer.closed + '</p><p><code>tidenet-node open</code></p>'
    return
  }
  document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en'
  button.textContent = texts.language
  document.title = texts.title + ' · Tidenet'
  for (const id of parts) {
    // What did not change keeps its focus.
    if (shown[id] !== answer[id] || !document.getElementById(id)) part(id).innerHTML = shown[id] = answer[id]
  }
}

const number = (input) => (input.value.trim() === '' ? null : Number(input.value))

async function change(change) {
  const answer = await call('/api/change', { change })
  await load(answer.error ? ['live'] : ['live', 'forms'])
  const said = document.getElementById('said')
  if (said) {
    said.textContent = answer.error || texts.saved
    said.className = answer.error ? 'warn' : 'good'
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.target
  const rates = [...form.querySelectorAll('.rate')]
    .map((line) => ({
      from: number(line.querySelector('[name=from]')),
      to: number(line.querySelector('[name=to]')),
      mbits: number(line.querySelector('[name=mbits]')),
    }))
    .filter(({ mbits }) => mbits !== null)
  change({
    what: 'limits',
    spaceGiB: number(form.elements.space),
    monthlyGB: number(form.elements.monthly),
    rates,
    updates: form.elements.updates ? form.elements.updates.checked : true,
  })
})
document.addEventListener('click', (event) => {
  const pressed = event.target.closest('[data-change]')
  if (pressed) change(JSON.parse(pressed.dataset.change))
})
button.addEventListener('click', () => {
  lang = lang === 'zh' ? 'en' : 'zh'
  localStorage.setItem('lang', lang)
  load(['live', 'forms'])
})

async function begin() {
  const code = location.hash.slice(1)
  if (code) {
    history.replaceState(null, '', '/')
    const { token } = await call('/api/session', { code })
    if (token) sessionStorage.setItem('token', token)
  }
  await load(['live', 'forms'])
  setInterval(() => {
    if (!document.hidden && document.getElementById('live')) load(['live'])
  }, 5000)
}
begin()
`
