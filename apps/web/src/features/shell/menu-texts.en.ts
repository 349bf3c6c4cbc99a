/** What the menus of the header say of where they lead. */
export const texts = {
  introduction: 'What it is, in one page',
  network: 'Nodes, copies and transfers, live',
  desktopTitle: 'Desktop app',
  desktop: 'The node and the command line for your computer',
  extension: 'Take part from a browser',
  storage: 'Files and folders, verified to the last block',
  containers: 'Rented by the hour, paid on chain',
  prices: 'What a container costs, with a calculator',
  pcdn: 'Delivery from nodes near your visitors',
  aiData: 'Public pages through leased addresses',
  aiProxy: 'Stable ways out for agents',
  servicesTitle: 'All services',
  services: 'What can be rented, and in which state it is',
  basicsTitle: 'Basics',
  basics: 'How storing, checking and repairing work',
  newsTitle: 'News',
  news: 'What was built, and what was learned',
  casesTitle: 'Cases',
  cases: 'Worked examples to follow',
  ecology: 'Programs and protocols it works with',
  about: 'Who we are for and how we work',
}

export type Texts = typeof texts
