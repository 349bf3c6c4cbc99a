/** Descriptions of the pages in the header's menus. */
export const texts = {
  introduction: 'The network explained on one page',
  network: 'Nodes, copies and transfers, live',
  earn: 'What devices earn, with a calculator',
  verify: 'Whether a receipt is genuine',
  desktopTitle: 'Desktop app',
  desktop: 'The node and the command line for your computer',
  extension: 'Join from your browser',
  storage: 'Files and folders, every block verified',
  containers: 'Rented by the hour, paid on chain',
  prices: 'What a container costs, with a calculator',
  pcdn: 'Delivery from nodes near your visitors',
  aiData: 'Public web data through leased IP addresses',
  aiProxy: 'Stable IP addresses for agents',
  servicesTitle: 'All services',
  services: 'All services and their state',
  basicsTitle: 'Basics',
  basics: 'How storage, audits and repair work',
  newsTitle: 'News',
  news: 'What we built and learned',
  casesTitle: 'Cases',
  cases: 'Worked examples to follow',
  ecology: 'Programs and protocols it works with',
  about: 'Who we are for and how we work',
}

export type Texts = typeof texts
