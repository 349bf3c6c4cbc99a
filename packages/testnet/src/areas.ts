/** An area's name is Continent-Country-Province-City. Degrees. */
export interface Area {
  readonly name: string
  readonly lat: number
  readonly lng: number
}

/** Areas of the network's own nodes. */
export const AREAS = [
  { name: 'Asia-HongKong-HongKong-HongKong', lat: 22.3193, lng: 114.1694 },
  { name: 'Asia-Singapore-Singapore-Singapore', lat: 1.3521, lng: 103.8198 },
  { name: 'Europe-Germany-Hesse-Frankfurt', lat: 50.1109, lng: 8.6821 },
  { name: 'NorthAmerica-UnitedStates-California-LosAngeles', lat: 34.0522, lng: -118.2437 },
] as const satisfies readonly Area[]

export type NodeKind = 'edge' | 'candidate' | 'validator'

/** A node to start. */
export interface NodeSpec {
  readonly kind?: NodeKind
  readonly name?: string
  /** One of `AREAS`, or another name with `lat` and `lng`. */
  readonly area?: string
  readonly lat?: number
  readonly lng?: number
  /** Storage offered, bytes. */
  readonly capacity?: number
  /** TCP port. If absent or taken: any free one. */
  readonly port?: number
  /** Public URL, if different from its own address. */
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
  /** A command that starts the program given to it, such as `ip netns exec home`. */
  readonly within?: readonly string[]
}

const KINDS: readonly NodeKind[] = ['candidate', 'candidate', 'edge', 'edge', 'validator']

/** `count` nodes: two candidates, two edges and a validator in four areas, then more edges. */
export function defaultNodes(count: number): NodeSpec[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: KINDS[index] ?? 'edge',
    area: areaAt(index).name,
  }))
}

export function areaAt(index: number): Area {
  return AREAS[index % AREAS.length] ?? AREAS[0]
}
