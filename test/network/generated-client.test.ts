import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Network } from '@tidenet/testnet'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from './test-network.ts'
import { signUp } from './wire-client.ts'

/** A client that is generated from the OpenAPI document, as a customer would: it knows nothing else of this network. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENT = new URL('../../docs/api/openapi.json', import.meta.url)
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

const [url = '', username = '', password = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl: url })
const { data: signedIn } = await client.POST('/api/v1/user/login', { body: { username, password } })
const token = signedIn?.data?.token
if (!token) throw new Error(signedIn?.msg)
const headers = { JwtAuthorization: \`Bearer \${token}\` }
const { data: made } = await client.GET('/api/v1/storage/create_group', { params: { query: { name: 'generated' } }, headers })
const { data: listed } = await client.GET('/api/v1/storage/get_asset_group_list', { params: { query: { page_size: 5 } }, headers })
const names: (string | undefined)[] | undefined = listed?.data?.list.map(({ Group }) => Group?.Name)
const refused = await client.GET('/api/v1/storage/get_asset_group_list', { params: { query: { page: -1 } }, headers })
console.log(JSON.stringify({ id: made?.data?.group.ID, names, err: refused.data?.err }))
`

let network: Network
let folder: string
beforeAll(async () => {
  network = await startNetwork({ nodes: 1 })
  // Below the repository, where the packages are.
  folder = mkdtempSync(join(ROOT, 'node_modules/.generated-'))
  writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTS(DOCUMENT)))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(async () => {
  await network?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Compiles a program beside the generated types. @returns the messages of the compiler */
function compile(name: string, program: string): string {
  writeFileSync(join(folder, `${name}.ts`), program)
  const options = [
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--types',
    'node',
    '--ignoreConfig',
  ]
  const args = [join(ROOT, 'node_modules/typescript7/bin/tsc'), ...options, join(folder, `${name}.ts`)]
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout
}

describe('a TypeScript client generated from the OpenAPI document', () => {
  it('compiles, signs in and lists files', async () => {
    const person = await signUp(network.url)
    expect(compile('program', PROGRAM)).toBe('')
    const args = [join(folder, 'program.js'), network.url, person.username, person.password]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ id: expect.any(Number), names: ['generated'], err: 1001 })
  })

  it('does not compile with a field or a path that does not exist', () => {
    expect(compile('field', PROGRAM.replace("{ name: 'generated' }", "{ title: 'generated' }"))).toMatch(
      /^field\.ts.*error/,
    )
    expect(compile('path', PROGRAM.replaceAll('get_asset_group_list', 'get_everything'))).toMatch(/^path\.ts.*error/)
  })
})
