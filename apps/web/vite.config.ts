import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Plugin } from 'vite'
import { chunkGroups } from './chunk-groups.ts'
import { content } from './content.ts'

const server = process.env.TIDENET_URL ?? 'http://127.0.0.1:8080'

/** Compresses assets at build, so that the server does not compress them per request. */
function precompress(): Plugin {
  return {
    name: 'precompress',
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

/** Minifies public/theme.js, which runs before the first paint and is not bundled. */
function minifyTheme(): Plugin {
  return {
    name: 'minify-theme',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const path = join(dir, 'theme.js')
      if (existsSync(path)) writeFileSync(path, minifySync('theme.js', readFileSync(path, 'utf8')).code)
    },
  }
}

/** Preloads the font of every page, instead of waiting for the style sheet to request it. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
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

/** Removes Vite's preload wrapper around every import(): with one style sheet and `modulePreload: false` it has nothing to preload. */
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

/** Removes names and random keys from Lucide's icons: src/ui/icon.ts does not need them, and they compress badly. */
function stripIcons(): Plugin {
  return {
    name: 'strip-icons',
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
  plugins: [
    content(),
    react(),
    tailwindcss(),
    precompress(),
    preloadFont(),
    plainImports(),
    stripIcons(),
    minifyTheme(),
  ],
  resolve: {
    alias: [
      // Every page has icons; our component is a tenth of the size of Lucide's.
      { find: /^\.\.\/createLucideIcon\.mjs$/, replacement: fileURLToPath(new URL('src/ui/icon.ts', import.meta.url)) },
      // Built into React since version 18.
      { find: /^use-sync-external-store(\/shim(\/index\.js)?)?$/, replacement: 'react' },
      {
        find: /^use-sync-external-store\/shim\/with-selector(\.js)?$/,
        replacement: fileURLToPath(new URL('src/lib/with-selector.ts', import.meta.url)),
      },
    ],
  },
  build: {
    target: 'es2022',
    // The content security policy forbids inline and data: scripts and styles.
    assetsInlineLimit: 0,
    // One small style sheet, so scripts contain no code that loads more.
    cssCodeSplit: false,
    // prerender.mjs writes the preloads of each page; a list of all chunks in the first script would cost more than it saves.
    modulePreload: false,
    manifest: true,
    rolldownOptions: {
      // Who runs `npm start` cannot act on plugin timings.
      checks: { bundlerTimings: false },
      output: {
        // The first script lists all pages; without names and with short hashes it is half a kilobyte smaller.
        chunkFileNames: ({ name }) => (name.endsWith('-page') ? 'assets/[hash:7].js' : 'assets/[name]-[hash:7].js'),
        // Shared code in a few chunks that are cached separately, instead of one chunk per module.
        codeSplitting: {
          groups: [...chunkGroups],
        },
      },
    },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': server,
      '/dev/mail': server,
      '/link': server,
      '/.well-known': server,
      '/chain/rpc': server,
      '/chain/rest': server,
    },
  },
})
