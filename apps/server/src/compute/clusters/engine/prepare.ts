import { partOf, type WorkloadRef, type WorkloadSpec, type WorkspaceSpec } from '../driver.ts'
import { obtainImage } from './archive-images.ts'
import { type ContainerSettings, DISK, digestOf, LABEL, networkOf, snapshotOf } from './container.ts'
import { ignoreNotFound } from './failures.ts'
import { allowBridges, applyFirewall, bridgeName } from './firewall.ts'
import { listImageVolumes } from './images.ts'
import { pinImage, readPinnedImage, writeNameFiles } from './layers.ts'
import { type EngineOptions, networkSpec, type ReadyEngine } from './probe.ts'

/** Prepares image, disk, network and name files for containers. */
export function preparation({ installation, publish }: Pick<EngineOptions, 'installation' | 'publish'>) {
  /** The network of a workspace, created if missing. */
  async function ensureNetwork(engine: ReadyEngine, workspace: string): Promise<string | undefined> {
    const { docker } = engine
    if (!engine.networks) return undefined
    const name = networkOf(installation, workspace)
    const bridge = bridgeName(digestOf(installation, workspace))
    // Firewall rules are lost when the machine restarts, networks are not.
    await isolateWorkspaces(engine, [workspace])
    const present = await docker.getNetwork(name).inspect().catch(ignoreNotFound)
    if (!present)
      await docker
        .createNetwork(networkSpec(name, bridge, { [LABEL.installation]: installation, [LABEL.workspace]: workspace }))
        .catch((error: { statusCode?: number }) => {
          if (error.statusCode !== 409) throw error
        })
    return name
  }

  /** Restores the firewall rules of workspaces. */
  async function isolateWorkspaces({ traffic }: ReadyEngine, workspaces: readonly string[]): Promise<void> {
    await applyFirewall(traffic.connections > 0)
    const bridges = workspaces.map((workspace) => bridgeName(digestOf(installation, workspace)))
    await allowBridges(bridges, traffic)
  }

  async function prepareContainer(
    engine: ReadyEngine,
    workspace: WorkspaceSpec,
    spec: WorkloadSpec,
  ): Promise<ContainerSettings> {
    const ref = { workspace: workspace.id, workload: spec.id }
    // Mounted first, because the disk tells the image of its layer.
    await engine.disks.prepare(ref, spec.size.storage, 1)
    const own = engine.layers ? engine.disks.hostFolder(ref) : undefined
    const image = await resolveImage(engine, spec, own)
    const network = workspace.offline ? undefined : await ensureNetwork(engine, workspace.id)
    return {
      installation,
      workspace: workspace.id,
      owner: workspace.owner,
      image,
      isDefaultImage: spec.image === undefined,
      storage: engine.disks.kind,
      disks: [...(await prepareDisks(engine, ref, spec, image)), ...(await nameFiles(engine, own, spec.name, network))],
      network,
      publish,
      ownKernel: engine.ownKernel,
      rawSockets: engine.filtered && network !== undefined,
    }
  }

  /** The snapshot of the workload, or the requested image. */
  async function resolveImage(
    { docker, defaultImage }: ReadyEngine,
    spec: WorkloadSpec,
    own?: string,
  ): Promise<string> {
    const findImage = (name: string) =>
      docker
        .getImage(name)
        .inspect()
        .then(({ Id }) => Id, ignoreNotFound)
    const asked = spec.image ?? ''
    const pinned = own ? readPinnedImage(own) : undefined
    const isOther = pinned !== undefined && pinned.asked !== asked
    const present = isOther ? undefined : await findImage(pinned?.id ?? snapshotOf(installation, spec.id).name)
    const id = present ?? (spec.image === undefined ? defaultImage.id : await obtainImage(docker, installation, spec))
    if (own) pinImage(own, { asked, id })
    return id
  }

  /** Replacements for the engine's name files; none if they cannot be on the workload's disk. */
  async function nameFiles(engine: ReadyEngine, own: string | undefined, name: string, network: string | undefined) {
    if (!own) return []
    const { docker, podman } = engine
    const found =
      network && ((await docker.getNetwork(network).inspect()) as { IPAM?: { Config?: { Gateway?: string }[] } })
    const gateway = found ? found.IPAM?.Config?.[0]?.Gateway : undefined
    // Docker's DNS server is inside the container.
    const server = network && !podman ? '127.0.0.11' : gateway
    return writeNameFiles(own, { name, server, podman })
  }

  /** The workload's disk, also used for the image's volumes, so that nothing is written outside of it. */
  async function prepareDisks(
    { disks, docker }: ReadyEngine,
    ref: WorkloadRef,
    { size, options }: WorkloadSpec,
    image: string,
  ): Promise<ContainerSettings['disks']> {
    const asked = (options?.paths ?? []).filter((path) => path !== DISK)
    const volumes = (await listImageVolumes(docker, image)).filter((path) => path !== DISK && !asked.includes(path))
    const parts = [DISK, ...(await disks.noteVolumes(ref, volumes))]
    const sources = await disks.prepare(ref, size.storage, parts.length, asked.map(partOf))
    const targets = [...parts, ...asked]
    return sources.flatMap((source, index) => {
      const target = targets[index] as string
      // What an earlier image declared stays on the disk.
      const isUsed = index >= parts.length || target === DISK || volumes.includes(target)
      return isUsed ? [{ ...source, target }] : []
    })
  }

  return { ensureNetwork, isolateWorkspaces, prepareContainer, nameFiles }
}
