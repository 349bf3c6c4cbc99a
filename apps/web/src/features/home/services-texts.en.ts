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
  list: 'Services you can rent',
  open: 'How it works',
  ask: 'Send a request',
  services: [
    {
      to: '/tss',
      name: 'storage' as ServiceName,
      title: 'Cloud storage',
      text: 'Files and folders with every block verified, share links, keys and an SDK.',
    },
    {
      to: '/tc2',
      name: 'containers' as ServiceName,
      title: 'Containers',
      text: 'Cores, memory and disk by the hour, in a distributed or centralized cluster.',
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
      text: 'Public web data and stable IP addresses for agents, by country.',
    },
  ],
  runs: (nodes: string, countries: string, space: string) =>
    `Runs on ${nodes} ${nodes === '1' ? 'node' : 'nodes'} online in ${countries} countries and territories, with ${space} of storage, measured just now.`,
  runsOn: 'Runs on leased devices.',
  see: 'See the network',
}

export type Texts = typeof texts
