import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliNetwork, type Listing } from './cli-machine.ts'
import { type ImportSource, startSource } from './import-source.ts'
import { until } from './wire-client.ts'

const cli = cliNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'candidate' }], s3: { port: 0 } })
const { signedIn } = cli

let source: ImportSource
beforeAll(async () => {
  source = await startSource()
})
afterAll(() => source?.close())

describe('tidenet import', () => {
  it('imports a file into a folder that it creates, and lists it', async () => {
    const at = await signedIn()
    const url = source.at('/report.txt', (response) => response.end('hello'))
    const { data } = await at.json<{ cid: string; state: string }>(['import', 'url', url, '--to', '/a/b', '-p'])
    expect(data).toMatchObject({ state: 'done' })
    expect((await at.json<Listing>(['ls', '/a/b'])).data.list).toMatchObject([{ name: 'report.txt', cid: data.cid }])
    const listed = await at.run(['imports'])
    expect(listed.code).toBe(0)
    expect(listed.out).toContain(url)
  })

  it('says why one failed, retries and cancels it by its number', async () => {
    const at = await signedIn()
    const url = `${source.url}/not-there`
    const failed = await at.run(['import', 'url', url])
    expect(failed.code).not.toBe(0)
    expect(failed.err).not.toBe('')
    const list = async () => (await at.json<{ list: { id: number; state: string }[] }>(['imports'])).data.list
    const [first] = await list()
    source.at('/not-there', () => {})
    expect((await at.run(['imports', 'retry', String(first?.id)])).code).toBe(0)
    expect((await at.run(['imports', 'cancel', String(first?.id)])).code).toBe(0)
    expect(['cancelling', 'cancelled']).toContain((await list())[0]?.state)
    const begun = await at.json<{ id: number }>(['import', 'url', url, '--no-wait'])
    expect(begun.data.id).toBeGreaterThan(0)
  })

  it('goes on after Ctrl-C, which says how to end it', async () => {
    const at = await signedIn()
    let isAsked = false
    const url = source.at('/slow', () => {
      isAsked = true
    })
    const following = at.start(['import', 'url', url], { input: '' })
    const list = async () => (await at.json<{ list: { id: number; state: string }[] }>(['imports'])).data.list
    await until(async () => isAsked)
    following.kill('SIGINT')
    const { code, err } = await following.ended
    const [going] = await list()
    expect(code).toBe(130)
    expect(err).toContain(`tidenet imports cancel ${going?.id}`)
    expect(['queued', 'running']).toContain(going?.state)
    expect((await at.run(['imports', 'cancel', String(going?.id)])).code).toBe(0)
  })

  it('says once why it waits for another try, as does the list', async () => {
    const at = await signedIn()
    let isAsked = false
    const url = source.at('/again', () => {
      isAsked = true
    })
    const following = at.start(['import', 'url', url], { input: '' })
    let told = ''
    following.stderr?.on('data', (text) => {
      told += text
    })
    await until(async () => isAsked)
    const list = async () => (await at.json<{ list: { id: number; error: string }[] }>(['imports'])).data.list
    const { id } = (await list())[0] ?? {}
    // Tries of a test network follow each other faster than the command asks.
    await cli.database((database) =>
      database.query(
        "update imports set state = 'queued', reason = 'slow', due_at = now() + interval '1 hour' where id = $1",
        [id],
      ),
    )
    const error = (await list())[0]?.error ?? ''
    expect(error).not.toBe('')
    await until(async () => told.includes(error))
    expect((await at.run(['imports'])).out).toContain(error)
    following.kill('SIGINT')
    expect((await following.ended).err.split(error)).toHaveLength(2)
  })

  it('of another S3 takes its key from the environment only, and needs a folder', async () => {
    const at = await signedIn()
    const refused = await at.run(['import', 's3', 'https://s3.example', 'bucket', '--to', '/'])
    expect(refused.code).toBe(2)
    expect((await at.run(['import', 'cid', 'no cid'])).code).not.toBe(0)
    // This network names no gateways of IPFS.
    const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
    expect((await at.run(['import', 'cid', cid])).code).not.toBe(0)
  })
})
