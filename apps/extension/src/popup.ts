import { type Connection, type Devices, type Earnings, LISTED, load, PortalError, readPortal } from './portal.ts'
import { textsFor } from './texts.ts'

/** What the extension uses of the browser; Firefox has it under this name, too. */
declare const chrome: {
  storage: {
    local: {
      get(key: string): Promise<Record<string, unknown>>
      set(items: object): Promise<void>
      clear(): Promise<void>
    }
  }
}

const t = textsFor(navigator.language)
const KEY = 'connection'
/** Amounts are millionths of a point. */
const MILLION = 1_000_000

/** An element with attributes and children. Text is never HTML: names of devices are chosen by whoever runs them. */
function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), attributes)
  made.append(...children)
  return made
}

const show = (...nodes: Node[]) => document.querySelector('main')?.replaceChildren(...nodes)
const problemText = (error: unknown) => t.problems[error instanceof PortalError ? error.problem : 'away']
const alertOf = (text: string) => {
  const line = element('p', { className: 'bad' }, text)
  line.setAttribute('role', 'alert')
  return line
}

async function start(): Promise<void> {
  document.documentElement.lang = /^zh\b/i.test(navigator.language) ? 'zh-CN' : 'en'
  document.title = t.title
  const saved = (await chrome.storage.local.get(KEY))[KEY] as Connection | undefined
  if (saved) await showDevices(saved)
  else showForm()
}

function showForm(problem?: string, before: Partial<Connection> = {}): void {
  const portal = element('input', {
    name: 'portal',
    value: before.portal ?? '',
    required: true,
    autocomplete: 'off',
    spellcheck: false,
  })
  portal.inputMode = 'url'
  const key = element('input', { name: 'key', type: 'password', required: true, autocomplete: 'off' })
  const button = element('button', { type: 'submit' }, t.connect)
  const form = element(
    'form',
    { noValidate: true },
    element('label', {}, t.portal, portal),
    element('label', {}, t.key, key),
    ...(problem ? [alertOf(problem)] : []),
    button,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    void connect(portal.value, key.value.trim())
  })
  show(element('h1', {}, t.title), element('p', {}, t.intro), form, element('p', { className: 'muted' }, t.where))
  const first = before.portal ? key : portal
  first.focus()
}

/** The key is stored only after the portal accepted it. */
async function connect(address: string, key: string): Promise<void> {
  try {
    const portal = readPortal(address)
    if (key === '') throw new PortalError('key')
    const connection = { portal, key }
    const found = await load(connection)
    await chrome.storage.local.set({ [KEY]: connection })
    showFound(connection, found)
  } catch (error) {
    showForm(problemText(error), { portal: address })
  }
}

async function showDevices(connection: Connection): Promise<void> {
  show(element('h1', {}, t.title), element('p', { className: 'muted' }, t.loading))
  try {
    showFound(connection, await load(connection))
  } catch (error) {
    const retry = element('button', { type: 'button' }, t.retry)
    retry.addEventListener('click', () => void showDevices(connection))
    show(element('h1', {}, t.title), alertOf(problemText(error)), footer(connection, retry))
  }
}

function showFound(connection: Connection, { devices, earnings }: { devices: Devices; earnings: Earnings }): void {
  const { list, total, online } = devices
  const rest = total - list.length
  show(
    element('h1', {}, t.devices(total)),
    element(
      'dl',
      {},
      fact(t.online, `${online} / ${total}`),
      fact(t.today, pointsOf(earnings.today)),
      fact(t.month, pointsOf(earnings.month)),
    ),
    total === 0
      ? element('p', { className: 'muted' }, t.none)
      : element(
          'ul',
          {},
          ...list
            .slice(0, LISTED)
            .map(({ name, node_id, status }) =>
              element(
                'li',
                {},
                element('span', {}, name || node_id),
                element('span', { className: status === 'online' ? 'muted' : 'bad' }, t.status[status]),
              ),
            ),
        ),
    ...(rest > 0 ? [element('p', { className: 'muted' }, t.more(rest))] : []),
    footer(connection),
  )
}

const fact = (name: string, value: string) => element('div', {}, element('dt', {}, name), element('dd', {}, value))

const pointsOf = ({ traffic, storage }: { traffic: number; storage: number }) =>
  t.points(((traffic + storage) / MILLION).toLocaleString(undefined, { maximumFractionDigits: 2 }))

function footer({ portal }: Connection, ...more: Node[]): HTMLElement {
  const disconnect = element('button', { type: 'button', className: 'plain' }, t.disconnect)
  disconnect.addEventListener('click', () => void chrome.storage.local.clear().then(() => showForm()))
  return element(
    'footer',
    {},
    element('a', { href: `${portal}/devices`, target: '_blank', rel: 'noreferrer' }, t.open),
    ...more,
    disconnect,
  )
}

void start()
