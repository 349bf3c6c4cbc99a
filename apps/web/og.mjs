// Renders the images of link previews (public/og-en.png, og-zh.png) and the icon for clients without SVG (public/favicon.ico).
// Run it by hand when the logo or the texts change. Needs Chromium.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'

const texts = {
  en: [
    'Storage, delivery and compute',
    'on devices that people lease out',
    'Named by its bytes · copied to many nodes · checked block by block',
  ],
  zh: ['存储、分发与算力', '建在人们出租的设备上', '以字节命名 · 多处副本 · 逐块校验'],
}
const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const font = pathToFileURL(at('../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2')).href
const tide = (y, opacity) =>
  `<path d="M-40 ${y}${'c40 0 40-26 80-26s40 26 80 26'.repeat(9)}" fill="none" stroke="#0b6477" stroke-opacity="${opacity}" stroke-width="2.5"/>`

const browser = await chromium.launch({
  executablePath: process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  for (const [lang, [first, second, third]] of Object.entries(texts)) {
    await page.setContent(`<style>
      @font-face { font-family: Geist; font-weight: 100 900; src: url(${font}) }
      body { margin: 0; background: #f5f8f9; color: #10242d; font-family: Geist, "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif }
      .words { position: absolute; left: 84px; top: 196px }
      h1 { font-size: 66px; line-height: 1.18; font-weight: 600; letter-spacing: -0.02em; margin: 0 }
      p { font-size: 28px; color: #4c626d; margin: 28px 0 0 }
      .mark { position: absolute; left: 84px; top: 76px; display: flex; gap: 18px; align-items: center; font-size: 36px; font-weight: 600 }
      svg.tides { position: absolute; inset: 0 }
    </style>
    <svg class="tides" width="1200" height="630">${tide(520, 0.9)}${tide(556, 0.45)}${tide(592, 0.2)}</svg>
    <div class="mark">${readFileSync(at('public/favicon.svg'), 'utf8').replace('<svg', '<svg width="60" height="60"')}Tidenet</div>
    <div class="words"><h1>${first}<br>${second}</h1><p>${third}</p></div>`)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: at(`public/og-${lang}.png`) })
  }
  await page.setViewportSize({ width: 48, height: 48 })
  await page.setContent(
    `<style>body{margin:0;background:transparent}</style>${readFileSync(at('public/favicon.svg'), 'utf8').replace('<svg', '<svg width="48" height="48"')}`,
  )
  writeFileSync(at('public/favicon.ico'), icon(await page.screenshot({ omitBackground: true })))
} finally {
  await browser.close()
}

/** An ICO file that contains one PNG of 48 × 48 pixels. */
function icon(png) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(48, 6)
  head.writeUInt8(48, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(22, 18)
  return Buffer.concat([head, png])
}
