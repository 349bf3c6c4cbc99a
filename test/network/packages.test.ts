import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Offer, offerPrograms } from './program-downloads.ts'
import { signUp } from './wire-client.ts'

// The packages as users get them: packed by npm or downloaded from the portal, and installed in an empty folder outside
// this repository.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const PACKAGES = ['contract', 'content', 'storage', 'cli'] as const
type Package = (typeof PACKAGES)[number]

let offer: Offer
let work: string
beforeAll(async () => {
  offer = await offerPrograms()
  work = offer.folder
  const workspaces = ['contract', 'content'].flatMap((name) => ['--workspace', `@tidenet/${name}`])
  await run('npm', ['pack', ...workspaces, '--pack-destination', work, '--loglevel=error'], { cwd: ROOT })
  for (const name of ['storage', 'cli'] as const) {
    const answer = await fetch(`${offer.network.url}/downloads/tidenet-${name}.tgz`)
    expect(answer.status).toBe(200)
    await writeFile(archive(name), answer.body as ReadableStream)
  }
})
afterAll(() => offer?.stop())

const archive = (name: Package) => join(work, `tidenet-${name}-0.1.0.tgz`)
const contents = async (name: Package) =>
  (await run('tar', ['tzf', archive(name)])).stdout.split('\n').map((path) => path.replace(/^package\//, ''))

/** An empty folder with the package installed. */
async function installed(name: Package) {
  const folder = join(work, `with-${name}`)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "customer", "private": true, "type": "module" }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', archive(name)], {
    cwd: folder,
  })
  const node = async (source: string, env: NodeJS.ProcessEnv = {}) => {
    await writeFile(join(folder, 'program.mjs'), source)
    return (await run(process.execPath, ['program.mjs'], { cwd: folder, env: { PATH: process.env.PATH, ...env } }))
      .stdout
  }
  return { folder, node }
}
/** The first program of a README. */
const shown = async (folder: string) =>
  /```js\n(.*?)```/s.exec(await readFile(join(ROOT, folder, 'README.md'), 'utf8'))?.[1] ?? ''

describe('a package', () => {
  it.each(PACKAGES)('of %s contains a README, a licence and no tests', async (name) => {
    const paths = await contents(name)
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']))
    expect(paths.filter((path) => /\.(test|fixture|map)\b|tsbuildinfo|\.\./.test(path))).toEqual([])
  })

  it.each([
    ['contract', 'packages/contract', /create_group/],
    ['content', 'packages/content', /^bafkrei[a-z2-7]{52}$/m],
  ] as const)('of the %s runs the sample of its README', async (name, folder, printed) => {
    const { node } = await installed(name)
    expect(await node(await shown(folder))).toMatch(printed)
  })
})

describe('on a network', () => {
  it('the SDK uploads and downloads, and its types are complete', { tags: ['long'] }, async () => {
    const { folder, node } = await installed('storage')
    const { token } = await signUp(offer.network.url)
    const bytes = randomBytes(3 << 20)
    await writeFile(join(folder, 'film.mkv'), bytes)
    await writeFile(
      join(folder, 'program.ts'),
      `import { createStorage, isSuccess } from '@tidenet/storage'
       const storage = createStorage({ url: 'https://portal.example', token: 'secret' })
       const uploaded = await storage.uploadAsset('film.mkv', {}, ({ percent }) => console.log(percent.toFixed()))
       if (isSuccess(uploaded)) console.log(uploaded.data.cid.length)
       // @ts-expect-error: the compiler knows the options
       createStorage({ url: 1 })`,
    )
    const tsc = join(ROOT, 'node_modules/typescript7/bin/tsc')
    await run(
      process.execPath,
      [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', 'program.ts'],
      { cwd: folder },
    )
    await node(
      `import { createStorage } from '@tidenet/storage'
       const storage = createStorage({ url: process.env.URL, token: process.env.TOKEN })
       const { data } = await storage.uploadAsset('film.mkv')
       await storage.downloadAsset({ assetCid: data.cid, to: { path: 'copy.mkv' } })`,
      { URL: offer.network.url, TOKEN: token },
    )
    expect((await readFile(join(folder, 'copy.mkv'))).equals(bytes)).toBe(true)
  })

  it('the command line uploads and downloads, without dependencies', async () => {
    const { folder } = await installed('cli')
    expect(await readdir(join(folder, 'node_modules/@tidenet'))).toEqual(['cli'])
    expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@tidenet'])
    const { token } = await signUp(offer.network.url)
    const env = { PATH: process.env.PATH, TIDENET_LANG: 'en', TIDENET_URL: offer.network.url, TIDENET_TOKEN: token }
    const tidenet = (...args: string[]) => run(join(folder, 'node_modules/.bin/tidenet'), args, { cwd: folder, env })
    const bytes = randomBytes(3 << 20)
    await writeFile(join(folder, 'tide.bin'), bytes)
    await tidenet('up', 'tide.bin')
    await tidenet('get', 'tide.bin', '-o', 'back.bin')
    expect((await readFile(join(folder, 'back.bin'))).equals(bytes)).toBe(true)
    expect((await tidenet('node', 'start', '--help')).stdout).toContain('--area')
  })
})

it('rejects packages whose bundled packages lack a dependency', async () => {
  const folder = join(work, 'incomplete')
  await mkdir(folder)
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'incomplete', dependencies: {}, bundleDependencies: ['@tidenet/contract'] }),
  )
  await expect(run(process.execPath, [join(ROOT, 'tools/prepack.mjs')], { cwd: folder })).rejects.toThrow(/zod/)
})
