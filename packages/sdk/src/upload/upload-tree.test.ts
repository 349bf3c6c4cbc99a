import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryResumeStore } from '../platform/resume-store.ts'
import { isSuccess, type Result } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'
import type { UploadedFile, UploadedFolder } from './tree-types.ts'
import type { PathedFile } from './types.ts'

let env: TestEnv
const cleanUp: (() => void)[] = []
afterEach(async () => {
  await env?.close()
  for (const clean of cleanUp.splice(0)) clean()
})

interface Listed {
  name: string
  cid: string
  size: number
}

/** A portal with folders: it grants and lists what the real one would, as far as these tests need it. */
async function setup() {
  env = await startTestEnv()
  const folders = new Map<string, { id: number; files: Map<string, Listed> }>()
  const byId = (id: unknown) => [...folders.values()].find((folder) => folder.id === id)
  folders.set('0', { id: 0, files: new Map() })
  env.answers.set('create_groups', (input) => ({
    list: (input.paths as string[]).map((path) => {
      let parent = Number(input.parent ?? 0)
      let created = false
      for (const name of path.split('/')) {
        const key = `${parent}/${name}`
        created = !folders.has(key)
        if (created) folders.set(key, { id: folders.size, files: new Map() })
        parent = folders.get(key)?.id ?? 0
      }
      return { path, id: parent, created }
    }),
  }))
  env.answers.set('get_upload_infos', (input) => ({
    TraceID: 'tree-trace',
    AreaID: '',
    nodes: env.nodes.map((node) => ({
      NodeID: node.id,
      UploadURL: `${node.url}/uploadv2`,
      ResumeURL: `${node.url}/tus`,
      BundleURL: `${node.url}/uploads`,
    })),
    list: (input.files as { item: number }[]).map(({ item }) => ({
      item,
      ok: true,
      AlreadyExists: false,
      CID: '',
      SizeKnown: false,
      Proof: null,
      tokens: env.nodes.map((node, place) => ({ node: place, Token: `up-${node.id}` })),
    })),
  }))
  env.answers.set('create_assets', (input) => ({
    results: (
      input.files as {
        item: number
        group_id: number
        asset_name: string
        asset_cid: string
        asset_size: number
        on_conflict: string
      }[]
    ).map(({ item, group_id, asset_name: name, asset_cid: cid, asset_size: size, on_conflict }) => {
      const files = byId(group_id)?.files
      const free = files?.has(name) && on_conflict === 'keep_both' ? String(name).replace('.', ' (2).') : name
      files?.set(free, { name: free, cid, size })
      return { item, id: cid, ok: true }
    }),
  }))
  env.answers.set('find_names', (input) => ({
    list: (input.names as string[]).flatMap((name) => {
      const found = byId(input.parent)?.files.get(name)
      return found ? [{ name, kind: 'file', id: found.cid, asset_id: 7, size: found.size, created_at: '' }] : []
    }),
  }))
  return { env, storage: env.storage(), folders }
}

function ok(result: Result<UploadedFolder>): UploadedFolder {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

const file = (path: string, seed = 1, size = 100): PathedFile => ({ path, file: someBytes(size, seed) })
const holiday = () => [file('holiday/a.txt', 1), file('holiday/day 1/b.txt', 2), file('holiday/day 1/night/c.txt', 3)]

describe('a folder', () => {
  it('becomes folders and files, with few calls to the portal and one trace', async () => {
    const { env, storage } = await setup()
    const files = [...holiday(), { path: 'holiday/empty/' }]
    const seen: UploadedFile[] = []
    const folder = ok(await storage.uploadFolder(files, { onFile: (one) => seen.push(one) }))
    expect(folder).toMatchObject({
      name: 'holiday',
      folders: 4,
      uploaded: 3,
      failed: 0,
      size: 300,
      traceId: 'tree-trace',
    })
    expect(seen.map(({ path, state }) => `${path} ${state}`).sort()).toEqual([
      'a.txt uploaded',
      'day 1/b.txt uploaded',
      'day 1/night/c.txt uploaded',
    ])
    expect(env.called('get_upload_infos')).toHaveLength(1)
    expect(env.called('create_assets')).toHaveLength(1)
    expect(env.called('create_assets')[0]?.trace_id).toBe('tree-trace')
    expect(env.called('report')).toMatchObject([{ trace_id: 'tree-trace', state: 1, total_size: 300 }])
  })

  it('is read from disk, of any size, in batches of a hundred', async () => {
    const { env, storage } = await setup()
    const root = mkdtempSync(join(tmpdir(), 'tree-'))
    cleanUp.push(() => rmSync(root, { recursive: true }))
    for (let index = 0; index < 250; index++) {
      const below = join(root, 'many', `f${index % 7}`)
      mkdirSync(below, { recursive: true })
      writeFileSync(join(below, `${index}.bin`), someBytes(50, index))
    }
    const progress: number[] = []
    const folder = ok(await storage.uploadFolder(join(root, 'many'), {}, ({ files }) => progress.push(files)))
    expect(folder).toMatchObject({ name: 'many', uploaded: 250, folders: 8 })
    expect(env.called('get_upload_infos').map(({ files }) => (files as unknown[]).length)).toEqual([100, 100, 50])
    expect(progress.at(-1)).toBe(250)
  })

  it('is merged with a folder that exists: files with the same bytes are not sent again', async () => {
    const { env, storage } = await setup()
    ok(await storage.uploadFolder(holiday()))
    const node = env.nodes[0]
    if (node) node.requests.length = 0
    const again = ok(await storage.uploadFolder([...holiday(), file('holiday/new.txt', 9)]))
    expect(again).toMatchObject({ uploaded: 1, same: 3, folders: 0 })
    expect(node?.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it.each([
    ['skip', { skipped: 1, uploaded: 0 }, ['a.txt']],
    ['keep_both', { skipped: 0, uploaded: 1 }, ['a.txt', 'a (2).txt']],
    ['replace', { skipped: 0, uploaded: 1 }, ['a.txt']],
  ] as const)('with other bytes under a name that is taken: %s', async (onConflict, counts, names) => {
    const { env, storage, folders } = await setup()
    ok(await storage.uploadFolder([file('h/a.txt', 1)]))
    expect(ok(await storage.uploadFolder([file('h/a.txt', 2)], { onConflict }))).toMatchObject(counts)
    expect([...(folders.get('0/h')?.files.keys() ?? [])]).toEqual(names)
    const rules = env.called('create_assets').flatMap(({ files }) => files as { on_conflict: string }[])
    expect(rules[1]?.on_conflict).toBe({ skip: undefined, keep_both: 'keep_both', replace: 'replace' }[onConflict])
  })

  it('keeps the files that succeed if others fail', async () => {
    const { env, storage } = await setup()
    const usual = env.answers.get('get_upload_infos')
    env.answers.set('get_upload_infos', (input) => {
      const answer = usual?.(input) as { list: { item: number }[] }
      return {
        ...answer,
        list: answer.list.map((one) => (one.item === 0 ? { ...one, ok: false, err: 10004, msg: 'full' } : one)),
      }
    })
    const files = [...holiday(), file('holiday/nothing', 1, 0), file('holiday/a\\b', 4), file('holiday/x/../y', 5)]
    const folder = ok(await storage.uploadFolder(files))
    expect(folder).toMatchObject({ uploaded: 2, failed: 4 })
    expect(folder.failures.map(({ path }) => path).sort()).toEqual(['a.txt', 'a\\b', 'nothing', 'x/../y'])
    expect(folder.failures.find(({ path }) => path === 'a.txt')?.failure).toMatchObject({
      msg: 'full',
      data: { err: 10004 },
    })
    expect(env.called('report')).toMatchObject([{ state: 2 }])
    // The quota of files that were not sent is released.
    expect(env.called('cancel_upload')).toEqual([{ trace_id: 'tree-trace' }])
  })

  it('that was cancelled keeps what was sent, and continues under its trace after a pause', async () => {
    const { env, storage } = await setup()
    const resume = memoryResumeStore()
    const many = () => Array.from({ length: 120 }, (_, index) => file(`many/${index}.bin`, index + 1))
    let done = 0
    const first = storage.uploadFolder(many(), { resume, concurrency: 1 }, ({ loaded }) => {
      done = loaded
    })
    // Not on progress, which a fast machine reports too late.
    env.nodes[0]!.knobs.onBytes = () => {
      if (env.called('create_assets').length > 0) void first.pause()
    }
    expect(await first).toMatchObject({ code: -200, data: { abort: true, paused: true } })
    expect(done).toBeLessThan(12_000)
    const listed = env.called('create_assets').flatMap(({ files }) => files as unknown[]).length
    expect(listed).toBeGreaterThan(0)
    expect(env.called('report')).toEqual([])
    const second = ok(await storage.uploadFolder(many(), { resume }))
    expect(second).toMatchObject({ same: listed, uploaded: 120 - listed })
    expect(env.called('get_upload_infos').at(-1)).toMatchObject({ trace_id: 'tree-trace' })
  })

  it('is encrypted file by file', async () => {
    const { env, storage } = await setup()
    const encrypt = { passphrase: 'correct horse', workFactor: 10 }
    expect(ok(await storage.uploadFolder(holiday(), { encrypt }))).toMatchObject({ uploaded: 3 })
    const [{ files } = {}] = env.called('create_assets')
    for (const sent of files as { encrypted: boolean; asset_size: number; md5: string }[]) {
      expect(sent).toMatchObject({ encrypted: true, md5: '' })
      expect(sent.asset_size).toBeGreaterThan(100)
    }
    for (const { bytes } of env.nodes[0]?.contents.values() ?? [])
      expect(bytes.toString('latin1')).toMatch(/^age-encryption/)
  })

  it('is refused if it is no folder, or if an option is wrong, before anything is sent', async () => {
    const { env, storage } = await setup()
    expect((await storage.uploadFolder(someBytes(10))).code).not.toBe(0)
    expect((await storage.uploadFolder(holiday(), { parent: -1 })).code).toBe(10011)
    expect((await storage.uploadFolder(holiday(), { onConflict: 'overwrite' as never })).code).toBe(10025)
    expect((await storage.uploadFolder(holiday(), { concurrency: 0 })).code).toBe(10025)
    expect(env.calls).toEqual([])
  })

  it('stops when the portal refuses a folder, with the reason', async () => {
    const { env, storage } = await setup()
    env.answers.set('create_groups', () => ({ code: -1, err: 10019, msg: 'too many' }))
    expect(await storage.uploadFolder(holiday())).toMatchObject({ code: -1, msg: 'too many', data: { err: 10019 } })
    expect(env.called('get_upload_infos')).toEqual([])
  })
})
