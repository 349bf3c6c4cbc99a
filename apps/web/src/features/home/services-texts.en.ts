import type { State } from './state-word.tsx'

export const texts = {
  eyebrow: 'Tidenet services',
  title: 'Storage, containers and delivery on leased devices',
  intro:
    'One account for what the network rents out. Storage works today; for the rest you say what you need, and we answer by e-mail.',
  signUp: 'Create a free account',
  signIn: 'Sign in',
  console: 'Open the console',
  plan: 'Free: 100 MiB of storage and 1 GiB of outflow a month.',
  list: 'What can be rented',
  open: 'How it works',
  ask: 'Say what you need',
  services: [
    {
      to: '/tss',
      title: 'Cloud storage',
      text: 'Files and folders that are verified to the last block, with share links, keys and an SDK.',
      state: 'available' as State,
    },
    {
      to: '/tc2',
      title: 'Containers',
      text: 'Cores, memory and disk by the hour, in a distributed cluster or a central one.',
      state: 'available' as State,
    },
    { to: '/pcdn', title: 'PCDN and CDN', text: 'Delivery from nodes near your visitors.', state: 'request' as State },
    {
      to: '/aidata',
      title: 'AI data and proxies',
      text: 'Public pages and stable ways out through leased addresses, by country.',
      state: 'request' as State,
    },
  ],
  runs: (nodes: string, countries: string, space: string) =>
    `It runs on ${nodes} ${nodes === '1' ? 'node' : 'nodes'} online in ${countries} countries and territories, with ${space} of storage, counted just now.`,
  runsOn: 'It runs on devices that people lease out.',
  see: 'See the network',
}

export type Texts = typeof texts
