/** @module-tag long */
import { join } from 'node:path'
import { createStorage, isSuccess, type Result } from '@tidenet/storage'
import { expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { FILES_PER_FOLDER, peakMemory, treeFolder, treePath, writeTree } from '../large-files.ts'
import { cliNetwork } from './cli-machine.ts'
import { until } from './wire-client.ts'

/** TIDENET_TEST_MANY sets another number, a multiple of 1,000. */
const FILES = Number(process.env.TIDENET_TEST_MANY ?? 100_000)
/** Resident MiB at most, with any number of files. */
const BOUNDS = { cli: 300, server: 400, node: 400 }
const HOUR = 3_600_000

const cli = cliNetwork({ nodes: [{ kind: 'candidate' }, { kind: 'candidate' }] })

function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg}`)
  return result.data
}

it(`a folder of ${FILES} files is uploaded in flat memory although client and server are killed, and every file is there once`, {
  timeout: 3 * HOUR,
}, async () => {
  const at = await cli.signedIn()
  const { network } = cli
  writeTree(join(at.work, 'tree'), FILES)
  const storage = createStorage({ url: network.url, token: at.person.token })
  const count = async () => data(await storage.api.call('usage.storageSize', {})).AssetCount
  const most = { cli: 0, server: 0, node: 0 }
  let uploading = at.start(['up', 'tree', '--to', '/'])
  const watching = setInterval(() => {
    most.cli = Math.max(most.cli, peakMemory(uploading.pid))
    most.server = Math.max(most.server, peakMemory(network.server.process.pid))
    most.node = Math.max(most.node, ...network.nodes.map(({ process: { pid } }) => peakMemory(pid)))
  }, 500)
  try {
    await until(async () => (await count()) > FILES / 5, HOUR)
    uploading.kill('SIGKILL')
    await uploading.ended
    const before = await count()
    uploading = at.start(['up', 'tree', '--to', '/'])
    await until(async () => (await count()) > Math.max(before, FILES / 2), HOUR)
    network.server.process.kill()
    await network.server.process.exited
    await network.server.process.restart()
    const { code, err } = await uploading.ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
  } finally {
    clearInterval(watching)
  }
  expect(await count()).toBe(FILES)
  for (const [name, bound] of Object.entries(BOUNDS)) {
    expect(most[name as keyof typeof BOUNDS], name).toBeGreaterThan(20)
    expect(most[name as keyof typeof BOUNDS], name).toBeLessThan(bound)
  }

  // Sent again, nothing is stored twice.
  expect((await at.run(['up', 'tree', '--to', '/'])).code).toBe(0)
  expect(await count()).toBe(FILES)

  // Any folder of it is found and downloaded as it is.
  const middle = FILES / 2
  expect((await at.run(['get', '--zip', `/tree/${treeFolder(middle)}`, '--to', 'middle.zip'])).code).toBe(0)
  const zip = await fromBufferPromise(await at.read('middle.zip'))
  let entries = 0
  for await (const { fileName: name } of zip.eachEntry()) entries += name.endsWith('.txt') ? 1 : 0
  expect(entries).toBe(FILES_PER_FOLDER)
  const one = FILES - 1
  const path = treePath(one)
  expect((await at.run(['get', `/tree/${path}`, '--to', 'one.txt'])).code).toBe(0)
  expect((await at.read('one.txt')).equals(await at.read(`tree/${path}`))).toBe(true)

  // It is moved and deleted as one folder.
  expect((await at.run(['mv', '/tree', '/moved'])).code).toBe(0)
  expect((await at.run(['rm', '-y', '/moved'])).code).toBe(0)
  expect(await count()).toBe(0)
})
