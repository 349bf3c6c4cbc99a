/** Every address of the portal. The router, menus, titles, the sitemap and the tests' crawler use it. */

/** `site`: header with menus and footer. `console`: requires a session. `bare`: the page alone. */
export type Frame = 'site' | 'console' | 'bare'

interface Address {
  /** `$name` matches one path segment. */
  path: string
  frame: Frame
  /** Rendered at build in both languages, and listed in the sitemap. */
  prerendered?: true
}

const prerendered = {
  home: '/',
  services: '/services',
  storage: '/tss',
  containers: '/tc2',
  prices: '/pricing',
  pcdn: '/pcdn',
  aiData: '/aidata',
  aiProxy: '/aiproxy',
  network: '/storagenetwork',
  introduction: '/introduction',
  blockchain: '/blockchain',
  ecology: '/ecology',
  learn: '/learn',
  article: '/learndetail',
  developer: '/developer',
  start: '/docs/start',
  apiReader: '/docs/api',
  s3: '/docs/s3',
  ipfs: '/docs/ipfs',
  imports: '/docs/imports',
  download: '/download',
  earn: '/earn',
  verify: '/verify',
  about: '/about',
  changelog: '/morelog',
  privacy: '/privacy-policy',
  whisper: '/whisper',
  exchange: '/exchangePnuts',
  report: '/report',
  login: '/login',
  tryUpload: '/Upload',
  newUpload: '/newUpload',
  distribution: '/distribution',
} as const

const site = {
  chain: '/chain',
  chainTransaction: '/chain/tx/$hash',
  chainBlock: '/chain/block/$height',
  chainAddress: '/chain/address/$address',
  signup: '/signup',
  uploaded: '/homeupload',
  preview: '/preview',
  share: '/share',
  shortLink: '/s/$token',
  sharedFile: '/distributionstatus',
  sharedFolder: '/groupPreview',
  group: '/group',
  redirect: '/redirect',
  undoEmail: '/undoEmail',
  unsubscribe: '/unsubscribe',
  designLanguage: '/dev/ui',
} as const

const bare = {
  embeddedFile: '/td-distributionstatus',
  extension: '/ext_download',
  // The container console has its own frame and session.
  workspaces: '/console',
  workspacesLogin: '/console/login',
  openProgram: '/console/open',
  folderInProgram: '/console/folder',
  workspace: '/console/workspaces/$workspace',
  deployment: '/console/workspaces/$workspace/deploy',
  workload: '/console/workloads/$workload',
  terminal: '/console/workloads/$workload/terminal',
} as const

const inConsole = {
  dashboard: '/dashboard',
  files: '/fileStorage',
  upload: '/upload',
  links: '/links',
  keys: '/key',
  webhooks: '/webhooks',
  teams: '/teams',
  testCoin: '/testCoin',
  myCenter: '/mycenter',
  myPcdn: '/myPCDN',
  devices: '/devices',
  account: '/myAccount',
  security: '/security',
  closeAccount: '/closeAccount',
  activity: '/activity',
  notifications: '/notifications',
  endingFiles: '/endingFiles',
  blockedFiles: '/blockedFiles',
  center: '/center',
  admin: '/admin',
} as const

type In<Paths extends Record<string, string>> = { [Name in keyof Paths]: Address & { path: Paths[Name] } }

const within = <Paths extends Record<string, string>>(paths: Paths, rest: Omit<Address, 'path'>) =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path, ...rest }])) as In<Paths>

export const addresses = {
  ...within(prerendered, { frame: 'site', prerendered: true }),
  ...within(site, { frame: 'site' }),
  ...within(bare, { frame: 'bare' }),
  ...within(inConsole, { frame: 'console' }),
}

export type AddressName = keyof typeof addresses

/** The name of the page at a path; undefined if there is none. */
export function addressAt(pathname: string): AddressName | undefined {
  const plain = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  const names = Object.keys(addresses) as AddressName[]
  // Exact match first, because /upload and /Upload are different pages; all others are case-insensitive.
  return (
    names.find((name) => addresses[name].path === plain) ??
    names.find((name) => addresses[name].path.toLowerCase() === plain.toLowerCase()) ??
    names.find((name) => matches(addresses[name].path, plain))
  )
}

function matches(pattern: string, plain: string): boolean {
  const segments = pattern.split('/')
  const parts = plain.split('/')
  return (
    segments.length === parts.length &&
    segments.every((each, index) => {
      const part = parts[index] ?? ''
      return each.startsWith('$') ? part !== '' : each.toLowerCase() === part.toLowerCase()
    })
  )
}

/** The frame of the page at an address; undefined if there is no page. */
export function frameAt(pathname: string): Frame | undefined {
  const name = addressAt(pathname)
  return name && addresses[name].frame
}

/** Whether an address requires a session. */
export const isConsolePath = (pathname: string): boolean => frameAt(pathname) === 'console'
