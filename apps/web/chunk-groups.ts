/** Chunks of shared code, by the paths of their modules. tools/web-build.test.ts checks that every path exists. */
export const chunkGroups = [
  {
    name: 'base',
    priority: 8,
    test: /rolldown[\\/]runtime|node_modules\/(react|react-dom|scheduler|zustand|@tanstack\/(react-router|router-core|history|store|react-store))\//,
  },
  {
    name: 'shell',
    priority: 7,
    test: /src\/(lib\/(?!event-stream|shared-stream|queries|more-queries|typed-ahead|with-selector|page-names|preferences|phrases|areas|storage|local-day|theme|sign-out|open-session|link|page-title|use-|focus)|ui\/(button|classes|disclosure|toasts?|loading|card|logo)\.|features\/shell\/(?!account|mobile|console|use-console|menu|panels|not-found|footer-social)|features\/feedback\/support(-button)?\.|features\/transfers\/read-drop|(addresses|searches)\.|routes|app\.)|lucide-react\/.*\/(arrow-right|circle-check|file-up|x)\./,
  },
  // The chunks below are needed by every interactive page; more chunks would cost round trips on slow connections.
  // Only used in the support chat, the container console and the operator area; needs a higher priority than `icons`.
  {
    name: 'icons-rare',
    includeDependenciesRecursively: false,
    priority: 6,
    test: /lucide-react\/.*\/(a-arrow-(down|up)|arrow-left-right|chart-line|copy-minus|ellipsis|file-down|gift|inbox|mail|message-square-quote|messages-square|paperclip|rotate-cw|scale|scroll-text|send-horizontal|server|settings-2|square|square-terminal|star|user-plus)\.mjs$/,
  },
  // Only used by the list of files and previews.
  {
    name: 'icons-files',
    includeDependenciesRecursively: false,
    priority: 6,
    test: /lucide-react\/.*\/(arrow-down-up|file-archive|file-image|file-spreadsheet|file-symlink|folder-archive|folder-plus|folder-search|folder-up|folder-x|house|image|keyboard|layout-grid|list|list-filter|maximize|pencil-line|share-2|sliders-horizontal|sun-moon)\.mjs$/,
  },
  {
    name: 'icons',
    includeDependenciesRecursively: false,
    priority: 5,
    test: /lucide-react\/.*\/(?!activity|arrow-right|chevron-down|circle-(alert|check|dashed)|circle\.|clock\.|file-up|languages|laptop|loader-circle|menu|message-circle|moon|receipt-text|sun|tablet-smartphone|unlink|x)[a-z0-9-]+\.mjs$/,
  },
  // Only used by the list of files.
  {
    name: 'more-queries',
    includeDependenciesRecursively: false,
    priority: 1,
    test: /node_modules\/@tanstack\/.*\/(queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery)\.js$|src\/lib\/more-queries\./,
  },
  {
    name: 'queries',
    includeDependenciesRecursively: false,
    test: /node_modules\/@tanstack\/(query-core|react-query)\/|src\/(lib\/(queries|phrases)|ui\/(states|copy))\.|contract\/.*paths\.gen\./,
  },
  {
    name: 'sharing',
    includeDependenciesRecursively: false,
    test: /src\/(features\/(vault\/(store|ask)|shares\/(shared-(file|assets|file-of)|share-gate|share-unavailable|terms|node-labels|holders|use-download|texts|heading)|preview\/(file-icon|kinds|kind-texts|preview-placeholder|shared-info|source|paths)|transfers\/(downloads|download-request|chunk-log|sdk-codes|texts|decryption))|lib\/(use-rem|storage)|ui\/row-checkbox)\.tsx?$/,
  },
  // Base UI, from what most pages need to what few need; each chunk has what the ones before do not have.
  {
    name: 'controls',
    priority: 4,
    test: /node_modules\/@base-ui\/react\/(field|fieldset|checkbox|radio-group|radio|switch|progress|meter|internals\/(use-button|labelable-provider|composite|direction-context))\/|src\/ui\/(field|choices|progress)\./,
  },
  { name: 'dialogs', priority: 3, test: /node_modules\/@base-ui\/react\/dialog\/|src\/ui\/dialog\./ },
  { name: 'names', includeDependenciesRecursively: false, test: /src\/ui\/name-(dialog|problem|texts)\.tsx?$/ },
  { name: 'menus', priority: 2, test: /node_modules\/@base-ui\/react\/(menu|select)\/|src\/ui\/(menu|select)\./ },
  // What the list of files shares with other pages that upload, list or choose files.
  {
    name: 'files',
    includeDependenciesRecursively: false,
    test: /src\/(features\/(files\/(free-name|conflicts|begin-uploads|changes|conflict-dialog|folder-tree|dragged|use-drop|drop-overlay|thumbnail|entries|view|unfinished|texts)|transfers\/(upload-(list|runs|thumbnail|options)|unfinished|folder-upload|outages|uploads|picked|decrypt-dialog)|vault\/use-sealed-by)|lib\/use-window)\.tsx?$/,
  },
  {
    name: 'console-parts',
    includeDependenciesRecursively: false,
    test: /src\/(features\/(shell\/(account-menu|console-(help|texts)|menu-links)|wallet\/last-wallet|feedback\/(social-texts|operator-links)|files\/last-folder))\.tsx?$/,
  },
  {
    name: 'charts',
    includeDependenciesRecursively: false,
    test: /src\/(features\/dashboard\/(bar-chart|scale|gauge|transfers-card|texts)|ui\/segments)\.tsx?$/,
  },
  {
    name: 'page',
    includeDependenciesRecursively: false,
    test: /src\/(ui\/(page|when-visible)|lib\/(page-names|page-title|link|preferences))\.tsx?$|contract\/dist\/(constants|storage-enums)\./,
  },
  // The live map, for the home page and the explorer.
  {
    name: 'map',
    test: /src\/(ui\/(world-map(?!-texts\.(en|zh)|-panel)|node-mark)|lib\/areas|features\/network\/(live|use-live|use-polled|points))/,
  },
  { name: 'visitor', test: /src\/features\/home\/(anonymous(-upload)?|texts)\.tsx?$/ },
]
