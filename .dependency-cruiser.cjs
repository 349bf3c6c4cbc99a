// Which folder may import which: `npm run check` fails for an arrow back, for a cycle, and for a folder that has no rule here.
const S = '^apps/server/src/'
/** Domains of the server, lowest first: each imports those before it, through their index.ts; platform's folders are open to all. */
const DOMAINS = ['platform', 'identity', 'network', 'storage', 'compute', 'payments', 'operator', 'portal']
/** The program, which puts the domains together. */
const SERVER_TOP = `${S}(main|operator|server|app|features|config)\\.ts$`

const W = '^apps/web/src/'
/** Folders of the portal, lowest first: a folder imports those of earlier lines; folders of one line know nothing of each other. */
const WEB_LAYERS = [
  ['locales'],
  ['lib'],
  ['ui'],
  ...[
    ['feedback', 'recent-auth'],
    ['abuse', 'vault'],
    ['chain', 'consent', 'dashboard', 'developer', 'network', 'rewards', 'security', 'third-party', 'transfers'],
    ['acceleration', 'chat', 'company', 'docs', 'external-sign-in', 'preview', 'wallet'],
    ['accounts'],
    ['adoption', 'learn', 'redirect', 'shares', 'tokens'],
    ['account'],
    ['files', 'orders'],
    ['teams'],
    ['keys', 'products', 'shell', 'webhooks'],
    ['exchange'],
    ['admin', 'download', 'earn', 'home', 'transcription', 'verify', 'workspaces'],
    ['dev', 'devices', 'uploads'],
  ].map((line) => line.map((name) => `features/${name}`)),
  ['routes'],
]
const WEB_FOLDERS = WEB_LAYERS.flat()
/** Files beside the folders: what everybody may import, and the program, which nobody below does. */
const WEB_LOW = `${W}(addresses|searches|styles)\\.(ts|css)$`
const WEB_TOP = `${W}(main|app|routes|prerender|descriptions|vite-env)\\.(d\\.)?tsx?$`

/** What has rules here or in tools/import-direction.mjs, which says which package imports which. */
const KNOWN =
  '^(apps/(server|node|chain|cli|web|extension|s3)|packages/(contract|content|chain-client|receipts|sdk|daemon|certificates|relay|s3-wire|testnet))/|^examples/'

const rule = (name, from, to) => ({ name, severity: 'error', from, to })
const under = (base, folders) => `${base}(${folders.join('|')})/`

module.exports = {
  forbidden: [
    rule('no-file-cycle', {}, { circular: true }),
    { ...rule('no-folder-cycle', {}, { circular: true }), scope: 'folder' },
    rule('folder-without-a-rule', { pathNot: KNOWN }, {}),

    ...DOMAINS.map((domain, index) =>
      rule(
        `server-layer-${domain}`,
        { path: `${S}${domain}/` },
        { path: S, pathNot: under(S, DOMAINS.slice(0, index + 1)) },
      ),
    ),
    rule(
      'domains-by-their-index',
      { path: `${S}([^/]+)/` },
      { path: under(S, DOMAINS.slice(1)), pathNot: [`${S}$1/`, `${S}[^/]+/(index|context)\\.ts$`] },
    ),
    rule(
      'own-repository-only',
      { path: `${S}([^/]+/[^/]+)/` },
      { path: `${S}[^/]+/[^/]+/.*repository\\.ts$`, pathNot: `${S}$1/` },
    ),
    rule(
      'add-the-folder-to-DOMAINS-in-.dependency-cruiser.cjs',
      { path: S, pathNot: [under(S, DOMAINS), SERVER_TOP] },
      {},
    ),
    rule('server-program-is-not-imported', { path: under(S, DOMAINS) }, { path: SERVER_TOP }),

    ...WEB_LAYERS.flatMap((line, index) =>
      line.map((folder) =>
        rule(
          `web-layer-${folder}`,
          { path: `${W}${folder}/` },
          { path: W, pathNot: [under(W, [...WEB_LAYERS.slice(0, index).flat(), folder]), WEB_LOW] },
        ),
      ),
    ),
    rule('web-low', { path: WEB_LOW }, { path: W, pathNot: WEB_LOW }),
    rule(
      'add-the-folder-to-WEB_LAYERS-in-.dependency-cruiser.cjs',
      { path: W, pathNot: [under(W, WEB_FOLDERS), WEB_LOW, WEB_TOP] },
      {},
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: '\\.(test|fixture)\\.tsx?$|(^|/)(dist(-types)?|bundle)/|(^|/)\\.cache/',
    tsPreCompilationDeps: true,
  },
}
