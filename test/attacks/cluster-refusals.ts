import { randomUUID } from 'node:crypto'
import { clustersOf } from '../../apps/server/src/compute/clusters/clusters.ts'
import { sampleDriver } from '../../apps/server/src/compute/clusters/sample-driver.fixture.ts'
import { GB } from '../../apps/server/src/compute/clusters/sizes.ts'
import { NO_INGRESS } from '../../apps/server/src/compute/ingress/config.ts'
import { reconcileWorkload } from '../../apps/server/src/compute/workspaces/reconcile.ts'
import {
  sampleTenant,
  shrinkMachine,
  type Tenant,
} from '../../apps/server/src/compute/workspaces/sample-tenant.fixture.ts'
import { suspend } from '../../apps/server/src/compute/workspaces/workspaces.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import type { TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/** Provokes each refusal of the container console. */
export function clusterRefusals(env: () => TestEnv) {
  const sample = sampleDriver({ cpu: 1000, memory: 1000 * GB, storage: 100_000 * GB })
  const size = { cpu: 0.5, memory: 512, storage: 5 }
  const tenant = async () => {
    env().context.clusters = clustersOf([{ driver: sample.driver, regions: ['distributed'] }])
    return sampleTenant(env())
  }
  const cn = ({ token }: Tenant) => ({ lang: 'cn', token }) as const
  const deploy = async (more: Record<string, unknown> = {}, one?: Tenant) => {
    const by = one ?? (await tenant())
    if (!one) await shrinkMachine(env(), by)
    return env().call('clusters.deploy', { workspace: by.space, name: 'web', ...size, ...more }, cn(by))
  }
  /** An account with a folder key, and a call that uses it. */
  const copying = async () => {
    const one = await tenant()
    const portal = { token: one.person.token }
    const folder = (await env().call('folders.create', { name: randomUUID() }, portal)).data.group.ID
    const { key } = (await env().call('apiKeys.create', { key_name: randomUUID(), group_id: folder }, portal)).data
    const copy = (more: Record<string, unknown> = {}) =>
      env().call('clusters.copyIn', { id: one.machine, key, ...more }, cn(one))
    return { one, folder, copy }
  }
  /** An account with an image archive in a folder, and a key to it. */
  const archived = async (bytes = 100) => {
    const { one, folder, copy: _ } = await copying()
    await shrinkMachine(env(), one)
    const portal = { token: one.person.token }
    const { key } = (await env().call('apiKeys.create', { key_name: randomUUID(), group_id: folder }, portal)).data
    await sampleFile(env().db, one.person.id, { folder, name: 'image.tar', size: bytes })
    return { one, archive: { key, file: 'image.tar' } }
  }
  const addressRefusals = () => {
    const publish = async (more: Record<string, unknown>) => {
      env().context.config = { ...env().context.config, ingress: { ...NO_INGRESS, url: 'https://apps.test' } }
      const one = await tenant()
      return env().call('clusters.publish', { id: one.machine, port: 80, access: 'public', ...more }, cn(one))
    }
    const withDomains = async (domain: string, given?: Tenant) => {
      const acme = { ...NO_INGRESS.acme, directory: 'https://ca.test/directory' }
      env().context.config = { ...env().context.config, ingress: { ...NO_INGRESS, url: 'https://apps.test', acme } }
      const one = given ?? (await tenant())
      await env().db.run(sql`update workloads set ports = '{80}' where id = ${one.machine}`)
      return env().call('clusters.addDomain', { id: one.machine, port: 80, domain }, cn(one))
    }
    return {
      portUnknown: () => publish({}),
      tcpPortsTaken: async () => {
        await env().db.run(sql`
          insert into tcp_ports (number, workload_id, port, taken_at) values (20000, 'other', 80, now()) on conflict do nothing`)
        const ingress = { ...NO_INGRESS, url: 'https://apps.test', tcpPorts: { from: 20_000, to: 20_000 } }
        env().context.config = { ...env().context.config, ingress }
        const one = await tenant()
        await env().db.run(sql`update workloads set ports = '{80}' where id = ${one.machine}`)
        return env().call('clusters.publish', { id: one.machine, port: 80, access: 'tcp' }, cn(one))
      },
      addressPassword: () => publish({ password: 'not for everybody' }),
      domainName: () => withDomains('apps.test'),
      domainTaken: async () => {
        await withDomains('taken.example.org')
        await env().db.run(sql`update workload_domains set proven_at = now() where domain = 'taken.example.org'`)
        return withDomains('taken.example.org')
      },
      domainUnknown: async () => {
        const one = await tenant()
        return env().call('clusters.removeDomain', { id: one.machine, domain: 'shop.example.org' }, cn(one))
      },
      tooManyDomains: async () => {
        const one = await tenant()
        for (let index = 0; index < 10; index++) await withDomains(`shop${index}.example.org`, one)
        return withDomains('shop.example.org', one)
      },
      notPublished: async () => env().call('clusters.open', { host: 'portal.test' }, cn(await tenant())),
    }
  }
  const folderRefusals = () => {
    /** An account with a folder and a key of it for programs. */
    const withFolder = async () => {
      const one = await tenant()
      const portal = { token: one.person.token }
      const folder = (await env().call('folders.create', { name: randomUUID() }, portal)).data.group.ID
      const perms = ['readFile', 'createFile', 'deleteFile', 'readFolder', 'createFolder']
      const asked = { key_name: randomUUID(), type: 'normal' as const, perms, folders: [folder] }
      const { key } = (await env().call('apiKeys.create', asked, portal)).data
      const attach = (more: Record<string, unknown> = {}) =>
        env().call('clusters.attachFolder', { id: one.machine, key, path: '/data/work', ...more }, cn(one))
      return { one, attach }
    }
    return {
      folderProgramKey: async () => (await withFolder()).attach({ key: 'tnk_none' }),
      folderPath: async () => (await withFolder()).attach({ path: '/etc' }),
      folderNotOffered: async () => {
        const { attach } = await withFolder()
        const { transfer: _, ...driver } = sample.driver
        env().context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
        return attach()
      },
      folderAttached: async () => {
        const { one, attach } = await withFolder()
        await attach()
        return env().call('clusters.remove', { id: one.machine }, cn(one))
      },
      folderMissing: async () => {
        const one = await tenant()
        return env().call('clusters.saveFolder', { id: one.machine }, cn(one))
      },
    }
  }
  return {
    workspaceNotReady: async () => {
      const one = await tenant()
      await suspend(env().context, one.space)
      return env().call('clusters.start', { id: one.machine }, cn(one))
    },
    workspaceFull: () => deploy({ cpu: 32 }),
    workloadUnknown: async () => env().call('clusters.start', { id: 'nothing' }, cn(await tenant())),
    workloadStopped: async () => {
      const { one, copy } = await copying()
      await env().call('clusters.stop', { id: one.machine }, one)
      await reconcileWorkload(env().context, one.machine)
      return copy()
    },
    workloadName: () => deploy({ name: '1' }),
    workloadNameTaken: () => deploy({ name: 'machine' }),
    tooManyWorkloads: async () => {
      const one = await tenant()
      await shrinkMachine(env(), one)
      await env().db.run(sql`update workloads set cpu = 100 where id = ${one.machine}`)
      await reconcileWorkload(env().context, one.machine)
      for (let made = 0; made < 16; made++) await deploy({ name: `w${made}`, cpu: 0.1, memory: 32, storage: 1 }, one)
      return deploy({}, one)
    },
    imageName: () => deploy({ image: 'not an image' }),
    registryRefused: () => deploy({ image: 'localhost/a' }),
    envName: () => deploy({ env: { 'A B': '' } }),
    templateAndImage: () => deploy({ image: 'nginx', template: 'nginx' }),
    healthPath: () => deploy({ ports: [80], health: { kind: 'http', port: 80, path: 'no slash' } }),
    notOffered: async () => {
      const one = await tenant()
      const { ended: _, ...driver } = sample.driver
      env().context.clusters = clustersOf([{ driver, regions: ['distributed'] }])
      return env().call('clusters.change', { id: one.machine, restart: 'never' }, cn(one))
    },
    stopTime: async () => {
      const one = await tenant()
      return env().call('clusters.schedule', { id: one.machine, stop_at: '2001-01-01T00:00:00Z' }, cn(one))
    },
    composeText: async () => {
      const one = await tenant()
      return env().call('clusters.compose', { workspace: one.space }, cn(one))
    },
    composeRefused: async () => {
      const one = await tenant()
      const text = 'services: {web: {image: nginx, privileged: true}}'
      return env().call('clusters.compose', { workspace: one.space, text }, cn(one))
    },
    archiveNotOffered: async () => {
      const { one, archive } = await archived()
      env().context.clusters = clustersOf([
        { driver: { ...sample.driver, kind: 'kubernetes' }, regions: ['distributed'] },
      ])
      return deploy({ archive }, one)
    },
    archiveFile: async () => {
      const { one, archive } = await archived()
      return deploy({ archive: { ...archive, file: 'other.tar' } }, one)
    },
    archiveTooLarge: async () => {
      const { one, archive } = await archived(6 * GB)
      return deploy({ archive }, one)
    },
    revisionUnknown: async () => {
      const one = await tenant()
      return env().call('clusters.rollback', { id: one.machine, revision: 7 }, cn(one))
    },
    diskShrinks: async () => {
      const one = await tenant()
      return env().call('clusters.resize', { id: one.machine, ...size }, cn(one))
    },
    ...addressRefusals(),
    ...folderRefusals(),
    folderKey: async () => (await copying()).copy({ key: 'tnk_none' }),
    copyTarget: async () => (await copying()).copy({ target: '..' }),
    copyTooLarge: async () => {
      const { one, folder, copy } = await copying()
      const { cid } = await sampleFile(env().db, one.person.id)
      await env().db.run(sql`update assets set folder_id = ${folder}, size = ${51 * GB} where cid = ${cid}`)
      return copy()
    },
    clusterUnavailable: async () => {
      const { copy } = await copying()
      const { copyIn } = sample.driver
      sample.driver.copyIn = async () => {
        const { ClusterError } = await import('../../apps/server/src/compute/clusters/driver.ts')
        throw new ClusterError('absent', 'It does not answer.')
      }
      try {
        return await copy()
      } finally {
        sample.driver.copyIn = copyIn
      }
    },
  }
}
