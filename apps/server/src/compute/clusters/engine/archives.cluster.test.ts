import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openArchive } from '../archives/open-archive.ts'
import { bytesOf, dockerArchive, file, ociArchive, tar } from '../archives/sample-archives.fixture.ts'
import type { WorkloadSpec } from '../driver.ts'
import {
  findState,
  MB,
  runScript,
  sampleWorkload,
  sampleWorkspace,
  until,
  untilRunning,
} from '../sample-workloads.fixture.ts'
import { busyboxRootfs } from './rootfs.ts'
import { sampleEngine } from './sample-engine.fixture.ts'

/** Image archives in a real engine. Their root file system is this machine's busybox. */

const { driver, close } = sampleEngine()
const rootfs = busyboxRootfs()
const { state } = await driver.probe()
const isReady = state === 'ready' && rootfs !== undefined
const base = rootfs && (await bytesOf(rootfs))
const folder = mkdtempSync(join(tmpdir(), 'tidenet-archives-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  expect(await close()).toEqual([])
})

async function* chunks(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}
const archiveOf = (bytes: Buffer) => () => openArchive(folder, chunks(bytes), 64 * MB)
const layerWith = (text: string) => tar([file('greeting', `${text}\n`)])
const imageOf = async (text: string) => ({
  layers: [base as Buffer, await layerWith(text)],
  config: {
    Cmd: ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1; done'],
    Env: ['FROM_IMAGE=yes'],
    // Hostile: labels of the installation, and of the default image.
    Labels: { 'tidenet.workspace': 'another', 'tidenet.source': 'busybox' },
  },
})

describe.skipIf(!isReady)('an image archive in an engine', () => {
  it('runs, is replaced by another archive, and comes back, while the disk keeps its data', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    const spec: WorkloadSpec = {
      ...sampleWorkload(),
      image: 'archive:one',
      archive: archiveOf(await dockerArchive(await imageOf('one'))),
    }
    const ref = { workspace: space.id, workload: spec.id }
    await driver.deploy(space, spec)
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /greeting; echo $FROM_IMAGE; echo kept > /data/kept')).output).toBe(
      'one\nyes',
    )
    expect((await findState(driver, ref))?.workspace).toBe(space.id)

    const other = {
      ...spec,
      image: 'archive:two',
      archive: archiveOf(await ociArchive({ ...(await imageOf('two')), gzip: true })),
    }
    await driver.resize(space, other)
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /greeting /data/kept')).output).toBe('two\nkept')

    await driver.resize(space, spec)
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /greeting /data/kept')).output).toBe('one\nkept')
    expect(readdirSync(folder)).toEqual([])
    await driver.removeWorkspace(space.id)
  })

  it('runs as its options say, and keeps their folders when the image changes', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    const [one, two] = [
      archiveOf(await dockerArchive(await imageOf('one'))),
      archiveOf(await dockerArchive(await imageOf('two'))),
    ]
    const options = {
      paths: ['/var/lib/tool', '/srv/a'],
      entrypoint: ['/bin/sh', '-c'],
      user: '65534:65534',
      workingDir: '/srv',
    }
    const command = ['id -u > /srv/a/user; pwd > /srv/a/folder; exec sleep 300']
    const spec: WorkloadSpec = { ...sampleWorkload(), image: 'archive:one', archive: one, command, options }
    const ref = { workspace: space.id, workload: spec.id }
    await driver.deploy(space, spec)
    await untilRunning(driver, ref)
    await until(async () => (await runScript(driver, ref, 'cat /srv/a/folder')).output === '/srv')
    expect((await runScript(driver, ref, 'cat /srv/a/user; echo here > /var/lib/tool/x')).output).toBe('65534')
    // Another order, and one more: each folder keeps its own content.
    const other = { ...options, paths: ['/a', '/srv/a', '/var/lib/tool'] }
    await driver.resize(space, { ...spec, image: 'archive:two', archive: two, options: other })
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /greeting /srv/a/user /var/lib/tool/x; ls /a')).output).toBe(
      'two\n65534\nhere',
    )
    await driver.removeWorkspace(space.id)
  })

  it('that declares more volumes, or fewer, leaves the files of the others where they were', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    const declaring = async (...volumes: string[]) => {
      const image = await imageOf('volumes')
      const Volumes = Object.fromEntries(volumes.map((path) => [path, {}]))
      return archiveOf(await dockerArchive({ ...image, config: { ...image.config, Volumes } }))
    }
    const spec = { ...sampleWorkload(), image: 'archive:two', archive: await declaring('/a', '/z') }
    const ref = { workspace: space.id, workload: spec.id }
    await driver.deploy(space, spec)
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'echo a > /a/file; echo z > /z/file; cat /a/file /z/file')).output).toBe(
      'a\nz',
    )
    await driver.resize(space, { ...spec, image: 'archive:three', archive: await declaring('/a', '/m', '/z') })
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /a/file /z/file; ls /m; echo m > /m/file')).output).toBe('a\nz')
    await driver.resize(space, { ...spec, image: 'archive:one', archive: await declaring('/m') })
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /m/file; ls -d /a /z')).output).toMatch(/^m\nls/)
    await driver.resize(space, spec)
    await untilRunning(driver, ref)
    expect((await runScript(driver, ref, 'cat /a/file /z/file')).output).toBe('a\nz')
    await driver.removeWorkspace(space.id)
  })

  it('with the same name for another workload is not used by it', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace({ ...space, size: { cpu: 1, memory: 256 * MB, storage: 256 * MB } })
    const both = { ...space, size: { cpu: 1, memory: 256 * MB, storage: 256 * MB } }
    const greetings = []
    for (const text of ['mine', 'theirs']) {
      const spec = {
        ...sampleWorkload(),
        image: 'archive:same',
        archive: archiveOf(await dockerArchive(await imageOf(text))),
      }
      await driver.deploy(both, spec)
      const ref = { workspace: space.id, workload: spec.id }
      await untilRunning(driver, ref)
      greetings.push((await runScript(driver, ref, 'cat /greeting')).output)
    }
    expect(greetings).toEqual(['mine', 'theirs'])
    await driver.removeWorkspace(space.id)
  })

  it.skipIf(spawnSync('podman', ['--version']).status !== 0)('as podman saves it can be used', async () => {
    const data = mkdtempSync(join(tmpdir(), 'tidenet-podman-'))
    const podman = (args: string[], input?: Buffer) => {
      const run = spawnSync('podman', ['--root', join(data, 'storage'), '--runroot', join(data, 'run'), ...args], {
        ...(input && { input }),
        maxBuffer: 64 * MB,
      })
      if (run.status !== 0) throw new Error(run.stderr.toString())
      return run.stdout
    }
    try {
      podman(['import', '--change', 'CMD ["/bin/sleep","300"]', '-', 'localhost/saved:1'], base)
      for (const format of ['docker-archive', 'oci-archive']) {
        const saved = podman(['save', '--format', format, 'localhost/saved:1'])
        const opened = await archiveOf(saved)()
        expect(opened.bytes).toBeGreaterThan(MB / 2)
        await opened.close()
      }
    } finally {
      spawnSync('umount', [join(data, 'storage/overlay')])
      rmSync(data, { recursive: true, force: true })
    }
  })

  it('that names no command runs with one from its owner, and is refused without', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    const archive = archiveOf(await dockerArchive({ ...(await imageOf('one')), config: {} }))
    const spec: WorkloadSpec = { ...sampleWorkload(), image: 'archive:one', archive, command: [] }
    await expect(driver.deploy(space, spec)).rejects.toMatchObject({ failure: 'command' })
    const ref = { workspace: space.id, workload: spec.id }
    await driver.deploy(space, { ...spec, command: ['/bin/sh', '-c', 'exec sleep 300'] })
    await untilRunning(driver, ref)
    await driver.removeWorkspace(space.id)
  })

  it('that is hostile is refused before the engine sees it', async () => {
    const space = sampleWorkspace()
    await driver.createWorkspace(space)
    const image = { ...(await imageOf('x')), diffIds: [`sha256:${'0'.repeat(64)}`, `sha256:${'0'.repeat(64)}`] }
    const spec = { ...sampleWorkload(), image: 'archive:bad', archive: archiveOf(await dockerArchive(image)) }
    await expect(driver.deploy(space, spec)).rejects.toMatchObject({ failure: 'archive' })
    await driver.removeWorkspace(space.id)
  })
})
