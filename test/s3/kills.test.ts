import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client } from '@aws-sdk/client-s3'
import type { Network, Program } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { largeAccount } from './large-account.ts'
import { createPrograms, type Endpoint, type Programs, REMOTE, sdkConfig } from './programs.ts'
import { treeOf, treeOfBucket, writeTree } from './tree.ts'

/** Programs that end without notice while a client works. The client tries again, as its manual says, and both trees are equal. */

let network: Network
let folder: string
let endpoint: Endpoint
let programs: Programs
let sdk: S3Client
beforeAll(async () => {
  network = await startNetwork({ nodes: 3, s3: { port: 0 } })
  folder = await mkdtemp(join(tmpdir(), 'tidenet-s3-kills-'))
  const { credentials } = await largeAccount(network)
  endpoint = { url: network.s3Url, ...credentials, caFile: undefined }
  programs = await createPrograms(join(folder, 'client'), endpoint)
  sdk = new S3Client({ ...sdkConfig(endpoint), maxAttempts: 5 })
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const victims = (): Program[] => [
  network.s3 as Program,
  network.server.process,
  ...network.nodes.map(({ process }) => process),
]

/** Kills one program after the other, and starts each again, while `work` runs or until each was killed once. */
async function killDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  let killed = 0
  for (const victim of victims()) {
    await sleep(700)
    if (isOver) break
    victim.kill('SIGKILL')
    await victim.exited
    killed += 1
    await sleep(300)
    await victim.restart()
  }
  await work
  return killed
}

const clients = {
  rclone: {
    send: (from: string, bucket: string) => ({ name: 'rclone' as const, args: ['sync', from, `${REMOTE}:${bucket}`] }),
    fetch: (bucket: string, to: string) => ({ name: 'rclone' as const, args: ['sync', `${REMOTE}:${bucket}`, to] }),
  },
  aws: {
    send: (from: string, bucket: string) => ({
      name: 'aws' as const,
      args: ['s3', 'sync', '--only-show-errors', '--delete', from, `s3://${bucket}`],
    }),
    fetch: (bucket: string, to: string) => ({
      name: 'aws' as const,
      args: ['s3', 'sync', '--only-show-errors', '--delete', `s3://${bucket}`, to],
    }),
  },
}

describe.each(['rclone', 'aws'] as const)('%s', (name) => {
  const bucket = `kills-${name}`
  let source: string
  let tree: Awaited<ReturnType<typeof writeTree>>
  /** Runs it until it exits with 0; a person would type it again as often. */
  const untilDone = async ({ name: program, args }: { name: 'rclone' | 'aws'; args: string[] }) => {
    let last = ''
    for (let attempt = 0; attempt < 5; attempt++) {
      const { code, stdout, stderr } = await programs.try(program, args)
      if (code === 0) return
      last = `${stdout}\n${stderr}`
    }
    throw new Error(last.slice(-3000))
  }
  beforeAll(async () => {
    source = join(folder, `source-${name}`)
    tree = await writeTree(source, { small: 150 })
    await programs.aws('s3', 'mb', `s3://${bucket}`)
  })

  it('sends a tree while gateway, server and nodes are killed', async () => {
    const command = clients[name].send(source, bucket)
    const killed = await killDuring(programs.try(command.name, command.args))
    expect(killed).toBeGreaterThan(1)
    await untilDone(command)
    expect(await treeOfBucket(sdk, bucket)).toEqual(tree)
  })

  it('fetches a tree while gateway, server and nodes are killed', async () => {
    const target = join(folder, `target-${name}`)
    const command = clients[name].fetch(bucket, target)
    const killed = await killDuring(programs.try(command.name, command.args))
    expect(killed).toBeGreaterThan(0)
    await untilDone(command)
    expect(await treeOf(target)).toEqual(tree)
  })

  it('replaces files while the gateway is killed: each is the old or the new one, never a mixture', async () => {
    const renewed = await writeTree(source, { small: 150 })
    const command = clients[name].send(source, bucket)
    const sent = programs.try(command.name, command.args)
    await sleep(1500)
    network.s3?.kill('SIGKILL')
    await network.s3?.exited
    await network.s3?.restart()
    await sent
    const between = await treeOfBucket(sdk, bucket)
    for (const [path, hash] of Object.entries(between)) expect([tree[path], renewed[path]], path).toContain(hash)
    await untilDone(command)
    expect(await treeOfBucket(sdk, bucket)).toEqual(renewed)
  })
})
