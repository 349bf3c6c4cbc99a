export const texts = {
  kinds: { 1: 'Edge node', 2: 'Candidate node', 3: 'Validator node' },
  status: { online: 'online', offline: 'offline', abnormal: 'abnormal' },
  nodes: (count: number) => `${count} ${count === 1 ? 'node' : 'nodes'}`,
  /** For several points at one place: how many of them are online. */
  onlineOf: (online: number, count: number) => `${online} of ${count} online`,
  further: (count: number) => `and ${count} more`,
  hint: 'Move between the points with the arrow keys; Enter keeps a point open.',
  legend: 'Legend',
}

export type Texts = typeof texts
