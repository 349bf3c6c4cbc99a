import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
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

export default defineConfig({
  plugins: [content(), react(), tailwindcss(), packed(), lettersFirst()],
  build: {
    target: 'es2022',
    // The policy of the portal allows no data: scripts or styles, and no inline ones.
    assetsInlineLimit: 0,
    // draw.mjs names what each page needs; a list of everything in the first script would weigh more than it saves.
    modulePreload: false,
    manifest: true,
    rolldownOptions: {
      output: {
        // What every page needs, in two files that stay in the cache apart; not a file for each icon.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|zustand|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store))\//,
            },
            { name: 'asking', test: /node_modules\/@tanstack\/(query-core|react-query)\// },
            {
              name: 'shell',
              test: /src\/(lib\/(?!queries)|ui\/(button|classes|disclosure|toast|page)\.|features\/shell\/(?!account|mobile|console|menu-links|error|not-found)|features\/feedback\/support(-button)?\.|addresses\.|routes|app\.)/,
            },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/dev/mail': server, '/link': server } },
})
