import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const web = fileURLToPath(new URL('../../apps/web/', import.meta.url))
const sources = readdirSync(join(web, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => readFileSync(join(web, 'src', path), 'utf8'))
const names = [...new Set(sources.flatMap((text) => text.match(/(?<=')tidenet[.-][a-z-]+(?=')/g) ?? []))]

describe('the privacy policy names', () => {
  it.each(names)('%s, which the portal stores in the browser', (name) => {
    for (const lang of ['en', 'zh'])
      expect(readFileSync(join(web, `content/pages/privacy.${lang}.md`), 'utf8')).toContain(`\`${name}\``)
  })
})
