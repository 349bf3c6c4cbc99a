const S = '^apps/server/src/'
/** Lowest first: a domain imports those before it, through their index.ts; platform's folders are open to all. */
const LAYERS = ['platform', 'identity', 'network', 'storage', 'compute', 'payments', 'operator', 'portal']
/** The program: puts the domains together. */
const ROOT = `${S}(main|operator|server|app|features|config)\\.ts$`
module.exports = {
  forbidden: [
    { name: 'no-file-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycle', scope: 'folder', severity: 'error', from: {}, to: { circular: true } },
    ...LAYERS.map((layer, index) => ({
      name: `layer-${layer}`, severity: 'error', from: { path: `${S}${layer}/` },
      to: { path: S, pathNot: `${S}(${LAYERS.slice(0, index + 1).join('|')})/` },
    })),
    { name: 'domains-by-their-index', severity: 'error', from: { path: `${S}([^/]+)/` },
      to: { path: `${S}(identity|network|storage|compute|payments|operator|portal)/`, pathNot: [`${S}$1/`, `${S}[^/]+/(index|context)\\.ts$`] } },
    { name: 'own-repository-only', severity: 'error', from: { path: `${S}([^/]+/[^/]+)/` },
      to: { path: `${S}[^/]+/[^/]+/.*repository\\.ts$`, pathNot: `${S}$1/` } },
    // A folder without a rule fails: whatever lies beside the known domains and programs.
    { name: 'folder-without-a-rule', severity: 'error', from: { path: S, pathNot: [`${S}(${LAYERS.join('|')})/`, ROOT] }, to: {} },
    { name: 'folder-without-a-rule-imported', severity: 'error', from: {}, to: { path: S, pathNot: [`${S}(${LAYERS.join('|')})/`, ROOT] } },
  ],
  options: { doNotFollow: { path: 'node_modules' }, exclude: '\\.(test|fixture)\\.tsx?$|(^|/)dist(-types)?/', tsPreCompilationDeps: true },
}
