import { AppError } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { readReportTarget } from './report-target.ts'

const CID = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
const SAME_BYTES = 'bafybeigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
const VERSION_0 = 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN'

describe('a report points at a content', () => {
  it.each([
    CID,
    ` ${CID}\n`,
    `ipfs://${CID}`,
    `ipfs://${CID}/a/b.html`,
    `https://portal.test/distributionstatus?cid=${CID}&AssetType=file&address=u1`,
    `https://portal.test/groupPreview?cid=12&address=u1&preview=${CID}&entry=3`,
    `https://portal.test/link?cid=${CID}&ts=1&id=x`,
    `https://node.test:8443/ipfs/${CID}/page.html?token=secret`,
    `https://${CID}.ipfs.gateway.test/page.html`,
  ])('%s', (entered) => {
    expect(readReportTarget(entered)).toMatchObject({ cid: CID, token: '' })
  })

  it('and all names of the same bytes are one target', () => {
    expect(readReportTarget(SAME_BYTES).key).toBe(readReportTarget(CID).key)
    expect(readReportTarget(VERSION_0).cid).toMatch(/^bafybei/)
  })
})

describe('a report points at a link', () => {
  it('by its token, if it is a short link', () => {
    expect(readReportTarget('https://portal.test/s/123456789ABCDEFG?path=a#key')).toMatchObject({
      cid: '',
      token: '123456789ABCDEFG',
    })
  })

  it('whatever follows the #, and however often it is written', () => {
    const keys = ['https://Example.test/a', 'https://example.test/a/', 'https://example.test/a#b'].map(
      (link) => readReportTarget(link).key,
    )
    expect(new Set(keys).size).toBe(1)
  })

  it('without what would let operators in as the reporter', () => {
    expect(readReportTarget(`https://node.test/ipfs/${CID}?token=secret`).text).not.toContain('secret')
  })

  it('without the key of an encrypted share, even if it is sent', () => {
    for (const link of [`https://portal.test/s/123456789ABCDEFG#secret`, `https://portal.test/link?cid=${CID}#secret`])
      expect(readReportTarget(link).text).not.toContain('secret')
  })
})

it.each(['', 'hello', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'bafkrei', '\u0000'])(
  'refused is %j',
  (entered) => {
    expect(() => readReportTarget(entered)).toThrow(AppError)
  },
)
