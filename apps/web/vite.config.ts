import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Plugin } from 'vite'
import { content } from './content.ts'

const server = process.env.TIDENET_URL ?? 'http://127.0.0.1:8080'

/** Files as they travel, packed once here and not at every request. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets)) {
        if (!/\.(js|css|svg|wasm)$/.test(name)) continue
        const bytes = readFileSync(join(assets, name))
        if (bytes.length < 1024) continue
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes))
        writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** What runs before the first paint stands in public/ and is not bundled: its comments need not travel. */
function shortTheme(): Plugin {
  return {
    name: 'short-theme',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const path = join(dir, 'theme.js')
      if (existsSync(path)) writeFileSync(path, minifySync('theme.js', readFileSync(path, 'utf8')).code)
    },
  }
}

/** The letters of every page are asked for at once, not when the styles have been read. */
function lettersFirst(): Plugin {
  return {
    name: 'letters-first',
    apply: 'build',
    transformIndexHtml: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /geist-latin-wght-normal.*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        })),
  }
}

/** What Vite lays around every import() to fetch styles and scripts along with it: there is nothing to fetch here. */
function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => 'export const __vitePreload = (load) => load()',
    },
    renderChunk: (code) =>
      code
        .replace(/__vitePreload\(\(\) => (import\("[^"]+"\)),[^)]*\)/g, '$1')
        .replace(
          /__vitePreload\(async \(\) => \{\s*const (\{ [\w, ]+ \}) = await (import\("[^"]+"\));\s*return \1;?\s*\},[^)]*\)/g,
          '$2',
        ),
  }
}

/** Lucide's icons without their names and the random keys of their lines, which do not pack: src/ui/icon.ts draws them without. */
function bareIcons(): Plugin {
  return {
    name: 'bare-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\/[a-z0-9-]+\.mjs$/ },
      handler: (code) => ({
        code: code
          .replace(/, key: "[a-z0-9]+"/g, '')
          .replace(/\n {2}name: "[a-z0-9-]+",/, '')
          .replace(/,\n {2}aliases: \[[^\]]*\]/, '')
          .replace(/\n__iconData\.node;/, ''),
        map: null,
      }),
    },
  }
}

export default defineConfig({
  plugins: [content(), react(), tailwindcss(), packed(), lettersFirst(), plainImports(), bareIcons(), shortTheme()],
  resolve: {
    alias: [
      // Every page carries an icon: what all of them share is ours, a tenth of theirs.
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: fileURLToPath(new URL('src/ui/icon.ts', import.meta.url)) },
      // React has had this itself since 18.
      { find: /^use-sync-external-store(\/shim(\/index\.js)?)?$/, replacement: 'react' },
      {
        find: /^use-sync-external-store\/shim\/with-selector(\.js)?$/,
        replacement: fileURLToPath(new URL('src/lib/with-selector.ts', import.meta.url)),
      },
    ],
  },
  build: {
    target: 'es2022',
    // The policy of the portal allows no data: scripts or styles, and no inline ones.
    assetsInlineLimit: 0,
    // One small file of styles: scripts need not carry the means to fetch more.
    cssCodeSplit: false,
    // draw.mjs names what each page needs; a list of everything in the first script would weigh more than it saves.
    modulePreload: false,
    manifest: true,
    rolldownOptions: {
      // Advice about plugins is nothing that whoever runs `npm start` could follow.
      checks: { bundlerTimings: false },
      output: {
        // The first script lists all pages: names and longer hashes there would be half a kilobyte for everyone.
        chunkFileNames: ({ name }) => (name.endsWith('-page') ? 'assets/[hash:7].js' : 'assets/[name]-[hash:7].js'),
        // What every page needs, in two files that stay in the cache apart; not a file for each icon.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /rolldown[\\/]runtime|node_modules\/(react|react-dom|scheduler|zustand|@tanstack\/(react-router|router-core|history|store|react-store))\//,
            },
            {
              name: 'shell',
              test: /src\/(lib\/(?!queries|more-queries|typed-ahead|with-selector|page-names|preferences|phrases|areas|theme|sign-out|open-session|link|page-title|use-|focus)|ui\/(button|classes|disclosure|toasts?|loading|card|logo)\.|features\/shell\/(?!account|mobile|console|use-console|menu|panels|not-found|footer-social)|features\/feedback\/support(-button)?\.|features\/transfers\/dropped|(addresses|searches)\.|routes|app\.)|lucide-react\/.*\/(arrow-right|file-up)\./,
            },
            // What every page beyond those that only tell something needs, in a few files: each by itself costs a slow line a round trip.
            // Of the container console and the operator area alone, before all others.
            {
              name: 'icons-of-few',
              includeDependenciesRecursively: false,
              priority: 1,
              test: /lucide-react\/.*\/(a-arrow-(down|up)|chart-line|gift|inbox|mail|rotate-cw|scroll-text|server|settings-2|square|square-terminal|users-round)\.mjs$/,
            },
            {
              name: 'icons',
              includeDependenciesRecursively: false,
              test: /lucide-react\/.*\/(?!activity|arrow-right|chevron-down|circle-(alert|check|dashed)|file-up|languages|laptop|layout-dashboard|loader-circle|menu|message-circle|moon|receipt-text|sun|tablet-smartphone|unlink|user-round|x)[a-z0-9-]+\.mjs$/,
            },
            // Of the list of files alone.
            {
              name: 'asking-many',
              includeDependenciesRecursively: false,
              priority: 1,
              test: /node_modules\/@tanstack\/.*\/(queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery)\.js$|src\/lib\/more-queries\./,
            },
            {
              name: 'asking',
              includeDependenciesRecursively: false,
              test: /node_modules\/@tanstack\/(query-core|react-query)\/|src\/(lib\/(queries|phrases)|ui\/(states|copy))\.|contract\/.*paths\.gen\./,
            },
            {
              name: 'sharing',
              includeDependenciesRecursively: false,
              test: /src\/(features\/(shares\/(shared-(file|asset|file-of)|share-gate|closed|terms|senders|holders|use-download|texts)|preview\/(file-icon|kinds|kind-texts|preview-room|shared-info|source|paths)|transfers\/(downloads|storage|wish))|lib\/use-rem|ui\/when-visible)\.tsx?$/,
            },
            {
              name: 'page',
              includeDependenciesRecursively: false,
              test: /src\/(ui\/page|lib\/(page-names|page-title|link))\.tsx?$/,
            },
            // The map and what happens on it, for the home page and the explorer.
            {
              name: 'map',
              test: /src\/(ui\/(world-map(?!-texts\.(en|zh)|-panel)|node-mark)|lib\/areas|features\/network\/(live|use-live|use-polled|points))/,
            },
            { name: 'visitor', test: /src\/features\/home\/(anonymous(-upload)?|texts)\.tsx?$/ },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': server, '/dev/mail': server, '/link': server, '/chain/rpc': server, '/chain/rest': server },
  },
})
