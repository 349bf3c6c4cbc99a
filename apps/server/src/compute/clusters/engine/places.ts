import type { WorkloadRef, WorkloadSpec, WorkspaceSpec } from '../driver.ts'
import { DISK, digestOf, LABEL, networkOf, type Placement, snapshotOf } from './container.ts'
import { unlessGone } from './failures.ts'
import { allowWithin, bridgeName, raiseFirewall } from './firewall.ts'
import { pulled, volumesOf } from './images.ts'
import { namesOn, pin, pinnedOn } from './layers.ts'
import { type EngineOptions, networkSpec, type ReadyEngine } from './probe.ts'

/** Prepares image, disk, network and name files for containers. */
export function placesOf({ installation, publish }: Pick<EngineOptions, 'installation' | 'publish'>) {
  /** The network of a workspace, created if missing. */
  async function network({ docker, networks }: ReadyEngine, workspace: string): Promise<string | undefined> {
    if (!networks) return undefined
    const name = networkOf(installation, workspace)
    const bridge = bridgeName(digestOf(installation, workspace))
    // Firewall rules are lost when the machine restarts, networks are not.
    await closeOff(workspace)
    const present = await docker.getNetwork(name).inspect().catch(unlessGone)
    if (!present)
      await docker
        .createNetwork(networkSpec(name, bridge, { [LABEL.installation]: installation, [LABEL.workspace]: workspace }))
        .catch((error: { statusCode?: number }) => {
          if (error.statusCode !== 409) throw error
        })
    return name
  }

  async function closeOff(workspace: string): Promise<void> {
    await raiseFirewall()
    await allowWithin(bridgeName(digestOf(installation, workspace)))
  }

  async function place(engine: ReadyEngine, workspace: WorkspaceSpec, spec: WorkloadSpec): Promise<Placement> {
    const ref = { workspace: workspace.id, workload: spec.id }
    // Mounted first: the disk knows the image of its layer.
    await engine.disks.ready(ref, spec.size.storage, 1)
    const own = engine.layers ? engine.disks.own(ref) : undefined
    const image = await imageOf(engine, spec, own)
    const net = await network(engine, workspace.id)
    return {
      installation,
      workspace: workspace.id,
      owner: workspace.owner,
      image,
      own: spec.image === undefined,
      storage: engine.disks.kind,
      disks: [...(await disksOf(engine, ref, spec, image)), ...(await names(engine, own, spec.name, net))],
      network: net,
      publish,
      packets: engine.filtered && net !== undefined,
    }
  }

  /** The snapshot of the workload, or the requested image. */
  async function imageOf({ docker, own: ours }: ReadyEngine, spec: WorkloadSpec, own?: string): Promise<string> {
    const known = (name: string) =>
      docker
        .getImage(name)
        .inspect()
        .then(({ Id }) => Id, unlessGone)
    const asked = spec.image ?? ''
    const pinned = own ? pinnedOn(own) : undefined
    const isOther = pinned !== undefined && pinned.asked !== asked
    const kept = isOther ? undefined : await known(pinned?.id ?? snapshotOf(installation, spec.id).name)
    const id = kept ?? (spec.image === undefined ? ours.id : await pulled(docker, spec.image))
    if (own) pin(own, { asked, id })
    return id
  }

  /** Replacements for the engine's name files; none if they cannot be on the workload's disk. */
  async function names(engine: ReadyEngine, own: string | undefined, name: string, net: string | undefined) {
    if (!own) return []
    const { docker, podman } = engine
    const found = net && ((await docker.getNetwork(net).inspect()) as { IPAM?: { Config?: { Gateway?: string }[] } })
    const gateway = found ? found.IPAM?.Config?.[0]?.Gateway : undefined
    // Docker's DNS server is inside the container.
    const server = net && !podman ? '127.0.0.11' : gateway
    return namesOn(own, { name, server, podman })
  }

  /** The workload's disk, also used for the image's volumes, so that nothing is written outside of it. */
  async function disksOf(
    { disks, docker }: ReadyEngine,
    ref: WorkloadRef,
    { size }: WorkloadSpec,
    image: string,
  ): Promise<Placement['disks']> {
    const targets = [DISK, ...(await volumesOf(docker, image)).filter((path) => path !== DISK)]
    const sources = await disks.ready(ref, size.storage, targets.length)
    return sources.map((source, index) => ({ ...source, target: targets[index] as string }))
  }

  return { network, closeOff, place, names }
}
