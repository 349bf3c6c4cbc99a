/** Every address of the portal, once. The router, menus, titles, the sitemap and the crawl of the tests read it. */

/** `site`: header with menus and footer. `console`: for who is signed in. `bare`: nothing around the page. */
export type Frame = 'site' | 'console' | 'bare'

interface Address {
  path: string
  frame: Frame
  /** Drawn at build in both languages, and named to search engines. */
  drawn?: true
}

export const addresses = {
  home: { path: '/', frame: 'site', drawn: true },
  services: { path: '/services', frame: 'site', drawn: true },
  storage: { path: '/tss', frame: 'site', drawn: true },
  containers: { path: '/tc2', frame: 'site', drawn: true },
  pcdn: { path: '/pcdn', frame: 'site', drawn: true },
  aiData: { path: '/aidata', frame: 'site', drawn: true },
  aiProxy: { path: '/aiproxy', frame: 'site', drawn: true },
  network: { path: '/storagenetwork', frame: 'site', drawn: true },
  introduction: { path: '/introduction', frame: 'site', drawn: true },
  blockchain: { path: '/blockchain', frame: 'site', drawn: true },
  ecology: { path: '/ecology', frame: 'site', drawn: true },
  learn: { path: '/learn', frame: 'site', drawn: true },
  article: { path: '/learndetail', frame: 'site', drawn: true },
  developer: { path: '/developer', frame: 'site', drawn: true },
  apiReader: { path: '/docs/api', frame: 'site' },
  download: { path: '/download', frame: 'site', drawn: true },
  about: { path: '/about', frame: 'site', drawn: true },
  changelog: { path: '/morelog', frame: 'site', drawn: true },
  privacy: { path: '/privacy-policy', frame: 'site', drawn: true },
  whisper: { path: '/whisper', frame: 'site', drawn: true },
  exchange: { path: '/exchangePnuts', frame: 'site', drawn: true },
  login: { path: '/login', frame: 'site', drawn: true },
  signup: { path: '/signup', frame: 'site' },
  tryUpload: { path: '/Upload', frame: 'site', drawn: true },
  newUpload: { path: '/newUpload', frame: 'site' },
  uploaded: { path: '/homeupload', frame: 'site' },
  preview: { path: '/preview', frame: 'site' },
  share: { path: '/share', frame: 'site' },
  sharedFile: { path: '/distributionstatus', frame: 'site' },
  sharedFolder: { path: '/groupPreview', frame: 'site' },
  embeddedFile: { path: '/td-distributionstatus', frame: 'bare' },
  distribution: { path: '/distribution', frame: 'site' },
  group: { path: '/group', frame: 'site' },
  redirect: { path: '/redirect', frame: 'site' },
  extension: { path: '/ext_download', frame: 'bare' },
  designLanguage: { path: '/dev/ui', frame: 'site' },
  dashboard: { path: '/dashboard', frame: 'console' },
  files: { path: '/fileStorage', frame: 'console' },
  upload: { path: '/upload', frame: 'console' },
  keys: { path: '/key', frame: 'console' },
  testCoin: { path: '/testCoin', frame: 'console' },
  myCenter: { path: '/mycenter', frame: 'console' },
  myPcdn: { path: '/myPCDN', frame: 'console' },
  account: { path: '/myAccount', frame: 'console' },
  center: { path: '/center', frame: 'console' },
} as const satisfies Record<string, Address>

export type AddressName = keyof typeof addresses

/** The name of what is at a path; undefined where nothing is. */
export function addressAt(pathname: string): AddressName | undefined {
  const plain = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  const names = Object.keys(addresses) as AddressName[]
  // Two addresses differ by a capital alone; every other may be written in any case.
  return (
    names.find((name) => addresses[name].path === plain) ??
    names.find((name) => addresses[name].path.toLowerCase() === plain.toLowerCase())
  )
}

/** Whether an address needs somebody signed in. */
export function isConsolePath(pathname: string): boolean {
  const name = addressAt(pathname)
  return name !== undefined && addresses[name].frame === 'console'
}
