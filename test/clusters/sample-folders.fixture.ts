import { createStorage, isSuccess, type Result, type Storage } from '@tidenet/storage'
import type { Network } from '@tidenet/testnet'
import type { ClusterDriver } from '../../apps/server/src/compute/clusters/driver.ts'
import {
  MB,
  runScript,
  sampleWorkload,
  sampleWorkspace,
  untilRunning,
} from '../../apps/server/src/compute/clusters/sample-workloads.fixture.ts'
import type { TransferResult, TransferTask } from '../../apps/server/src/compute/clusters/transfer-task.ts'
import { signUp } from '../network/wire-client.ts'

/** For tests: accounts with a folder, and programs that have it. */

export function data<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** An account with a folder, and a key of it for programs. */
export async function owner(network: Network) {
  const { token } = await signUp(network.url)
  const storage = createStorage({ url: network.url, token })
  const folder = data(await storage.createFolder({ name: 'Work' })).group.ID
  const perms = ['readFile', 'readFolder', 'createFile', 'createFolder', 'deleteFile'] as const
  const { key } = data(
    await storage.createKey({ name: 'program', type: 'normal', perms: [...perms], folders: [folder] }),
  )
  return { storage, folder, key, portal: network.url }
}
export type Owner = Awaited<ReturnType<typeof owner>>

export const put = async ({ storage, folder }: Owner, name: string, text: string | Uint8Array, parent = folder) =>
  data(
    await storage.uploadAsset(typeof text === 'string' ? bytesOf(text) : text, {
      name,
      groupId: parent,
      onConflict: 'replace',
    }),
  ).cid

export async function textOf(storage: Storage, cid: string): Promise<string> {
  const { blob } = data(await storage.downloadAsset({ assetCid: cid, to: 'blob' }))
  return (blob as Blob).text()
}

/** The files of a folder, by path: CID and text. */
export async function listed({ storage, folder }: Owner): Promise<Record<string, string>> {
  const { list } = data(await storage.api.call('folders.manifest', { assets: [], folders: [folder] }))
  return Object.fromEntries(
    await Promise.all(
      list.map(async ({ path, cid }) => [path.replace('Work/', ''), await textOf(storage, cid)] as const),
    ),
  )
}

export const taskOf = ({ folder, key, portal }: Owner, more: Partial<TransferTask> = {}): TransferTask => ({
  kind: 'save',
  portal,
  key,
  folder,
  path: '/work',
  base: {},
  copying: {},
  maxBytes: 48 * MB,
  maxFiles: 10,
  ...more,
})

/** A program whose folder is filled before it starts. */
export async function program(driver: ClusterDriver, one: Owner, more: Partial<TransferTask> = {}) {
  const space = sampleWorkspace()
  await driver.createWorkspace(space)
  const plans: Record<string, string>[] = []
  const plan = async (copying: Record<string, string>) => void plans.push(copying)
  const transfer = (task: Partial<TransferTask>) =>
    (driver.transfer as NonNullable<typeof driver.transfer>)(ref, taskOf(one, task), { plan })
  let filled: TransferResult | undefined
  const spec = {
    ...sampleWorkload(),
    options: { paths: ['/work'] },
    beforeStart: async () => {
      filled = await transfer({ kind: 'fill', ...more })
    },
  }
  const ref = { workspace: space.id, workload: spec.id }
  await driver.deploy(space, spec)
  await untilRunning(driver, ref)
  const sh = async (script: string) => (await runScript(driver, ref, script)).output
  return {
    ref,
    plans,
    transfer,
    sh,
    filled: filled as TransferResult,
    /** Starts it again with the result of the last transfer. */
    async restart(task: Partial<TransferTask>) {
      await driver.stop(ref)
      await driver.deploy(space, {
        ...spec,
        beforeStart: async () => {
          filled = await transfer({ kind: 'fill', ...task })
        },
      })
      await untilRunning(driver, ref)
      return filled as TransferResult
    },
    remove: () => driver.removeWorkspace(space.id),
  }
}
