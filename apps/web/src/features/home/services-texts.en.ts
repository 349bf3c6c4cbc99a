import type { ServiceName } from '@tidenet/contract'

export const texts = {
  eyebrow: 'Tidenet services',
  title: 'Storage, containers and delivery on leased devices',
  intro:
    'One account for all services of the network. Each service shows its current state. If you cannot order one yet, tell us what you need.',
  signUp: 'Create a free account',
  signIn: 'Sign in',
  console: 'Open the console',
  plan: 'Free: 100 MiB of storage and 1 GiB of download traffic a month.',
  list: 'What can be rented',
  open: 'How it works',
  ask: 'Say what you need',
  services: [
    {
      to: '/tss',
      name: 'storage' as ServiceName,
      title: 'Cloud storage',
      text: 'Files and folders that are verified to the last block, with share links, keys and an SDK.',
    },
    {
      to: '/tc2',
      name: 'containers' as ServiceName,
      title: 'Containers',
      text: 'Cores, memory and disk by the hour, in a distributed cluster or a central one.',
    },
    {
      to: '/pcdn',
      name: 'pcdn' as ServiceName,
      title: 'PCDN and CDN',
      text: 'Delivery from nodes near your visitors.',
    },
    {
      to: '/aidata',
      name: 'aiData' as ServiceName,
      title: 'AI data and proxies',
      text: 'Public pages and stable ways out through leased addresses, by country.',
    },
  ],
  runs: (nodes: string, countries: string, space: string) =>
    `It runs on ${nodes} ${nodes === '1' ? 'node' : 'nodes'} online in ${countries} countries and territories, with ${space} of storage, counted just now.`,
  runsOn: 'It runs on devices that people lease out.',
  see: 'See the network',
}

export type Texts = typeof texts
