import { describe, expect, it } from 'vitest'
import { llmsText } from './llms.ts'

const page = (title: string, summary: string) =>
  `<html><head><title>${title}</title><meta name="description" content="${summary}" /></head></html>`
const pages: Record<string, string> = {
  '/docs/s3': page('S3 – Tidenet', 'Buckets &amp; keys'),
  '/developer': page('Developers', 'APIs'),
  '/learndetail?slug=cids': page('What is a CID?', 'Names of contents'),
  '/about': page('About', 'Who'),
}
const built = {
  addresses: [
    ...Object.keys(pages).map((path) => ({ path, frame: 'site', prerendered: true })),
    { path: '/docs/unrendered', frame: 'site', prerendered: false },
    { path: '/key', frame: 'console', prerendered: false },
  ],
  prerendered: (path: string) => pages[path],
}
const text = (s3Url = '', ipfsUrl = '') => llmsText({ origin: 'https://portal.test', s3Url, ipfsUrl }, built)

describe('llms.txt', () => {
  it('has one title, a summary and sections of links, as llmstxt.org says', () => {
    const lines = text().split('\n')
    expect(lines[0]).toMatch(/^# \w+$/)
    expect(lines[2]).toMatch(/^> /)
    expect(lines.filter((line) => line.startsWith('## '))).toEqual(['## Docs', '## APIs', '## Optional'])
    const links = lines.filter((line) => line.startsWith('- '))
    for (const link of links) expect(link).toMatch(/^- \[[^\]]+\]\(https:\/\/portal\.test\/\S*\)(: .+)?$/)
  })

  it('names the pages of the build that are docs, with their titles and summaries', () => {
    expect(text()).toContain('- [S3](https://portal.test/docs/s3): Buckets & keys')
    expect(text()).toContain('- [What is a CID?](https://portal.test/learndetail?slug=cids): Names of contents')
    expect(text()).not.toMatch(/About|unrendered/)
  })

  it('names the S3 endpoint only if the network has one', () => {
    expect(text()).not.toContain('[S3](https://s3.test)')
    expect(text('https://s3.test')).toContain('- [S3](https://s3.test)')
  })

  it('names the public IPFS gateway only if the network has one', () => {
    expect(text()).not.toContain('[IPFS gateway]')
    expect(text('', 'https://ipfs.test')).toContain('- [IPFS gateway](https://ipfs.test)')
  })
})
