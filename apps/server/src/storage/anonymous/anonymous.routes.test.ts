import { rawCid } from '@tidenet/content'
import { TEMP_FILE_PREVIEWS } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

let files = 0
/** A file that was uploaded without an account. */
async function anonymous(): Promise<string> {
  files += 1
  const cid = (await rawCid(new TextEncoder().encode(`left behind ${files}`))).toString()
  await leave(cid)
  return cid
}
async function leave(cid: string): Promise<void> {
  const info = await env.call('tempFiles.uploadInfo', { size: 30 }, { ip: `10.2.0.${files}` })
  const { sub } = decodeJwt(info.data.List[0]?.Token as string)
  await env.call(
    'nodeControl.receipts',
    { receipts: [await node.receipt({ sub: sub as string, cid, size: 30 })] },
    node,
  )
  await env.call('tempFiles.create', { asset_name: 'x.txt', asset_cid: cid, asset_size: 30 })
}
const leftOf = async (cid: string) => (await env.call('tempFiles.info', { cid })).data.downloads_left
const person = { accept: 'text/html,application/xhtml+xml,*/*' }
const follow = (cid: string, headers: Record<string, string> = {}) =>
  env.app.inject({ url: `/api/v1/storage/temp_file/share/${cid}`, headers, remoteAddress: '10.3.0.1' })

describe('the preview of an anonymous file', () => {
  it('does not count as a download', async () => {
    const cid = await anonymous()
    const { data } = await env.call('tempFiles.download', { cid, preview: true })
    expect(data.url.length).toBeGreaterThan(0)
    expect(await leftOf(cid)).toBe(20)
    await env.call('tempFiles.download', { cid })
    expect(await leftOf(cid)).toBe(19)
  })

  it('has its own limit, which simultaneous requests cannot exceed', async () => {
    const cid = await anonymous()
    const look = () => env.call('tempFiles.download', { cid, preview: true }, { ip: '10.4.0.2' })
    await env.db.run(sql`update temp_files set previews = ${TEMP_FILE_PREVIEWS - 2} where cid = ${cid}`)
    const answers = await Promise.all(Array.from({ length: 6 }, look))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(2)
    expect(await look()).toMatchObject({ code: -1, err: 2057 })
    expect(await env.call('tempFiles.download', { cid })).toMatchObject({ code: 0 })
    expect(await leftOf(cid)).toBe(19)
  })

  it('has a new limit when the file is published again after expiry', async () => {
    const cid = await anonymous()
    await env.db.run(sql`update temp_files set previews = ${TEMP_FILE_PREVIEWS} where cid = ${cid}`)
    await env.db.run(sql`update temp_files set expires_at = ${new Date(env.clock.now())} where cid = ${cid}`)
    await leave(cid)
    expect(await env.call('tempFiles.download', { cid, preview: true })).toMatchObject({ code: 0 })
  })

  it('is refused when the downloads are used up', async () => {
    const cid = await anonymous()
    for (let index = 0; index < 20; index++) await env.call('tempFiles.download', { cid }, { ip: '10.4.0.1' })
    expect(await env.call('tempFiles.download', { cid, preview: true })).toMatchObject({ code: -1, err: 2057 })
  })
})

describe('the page of an anonymous file', () => {
  it('shows the current and the wanted number of replicas', async () => {
    const cid = await anonymous()
    await env.db.run(sql`update contents set wanted = 5 where cid = ${cid}`)
    const { data } = await env.call('tempFiles.info', { cid })
    expect(data).toMatchObject({ complete: 1, wanted: 5, name: 'x.txt', size: 30 })
  })
})

describe('the link of an anonymous file', () => {
  it('redirects to a node', async () => {
    const answer = await follow(await anonymous(), person)
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toMatch(/\/ipfs\/.*&download=true$/)
  })

  it('redirects browsers to an error page, and returns an error to programs', async () => {
    const cid = await anonymous()
    for (let index = 0; index < 20; index++) await follow(cid)
    const spent = await follow(cid, person)
    expect(spent.statusCode).toBe(302)
    expect(spent.headers.location).toBe('http://portal.test/redirect?errCode=10011')
    expect((await follow(cid)).json()).toMatchObject({ code: -1, err: 2057 })

    env.pass(24 * 3600 * 1000 + 1)
    expect((await follow(cid, person)).headers.location).toBe('http://portal.test/redirect?errCode=10028')
    expect((await follow(cid)).json()).toMatchObject({ code: -1, err: 1000 })
  })
})

describe('embedding in frames of other sites', () => {
  it('is allowed for one page only', async () => {
    const headersOf = async (url: string) => (await env.app.inject({ url })).headers
    const open = await headersOf('/td-distributionstatus?cid=x')
    expect(open['content-security-policy']).toContain('frame-ancestors *')
    expect(open['x-frame-options']).toBeUndefined()
    for (const url of ['/', '/login', '/distributionstatus', '/td-distributionstatus/x', '/x?/td-distributionstatus']) {
      const shut = await headersOf(url)
      expect(shut['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(shut['x-frame-options']).toBe('SAMEORIGIN')
    }
  })
})
