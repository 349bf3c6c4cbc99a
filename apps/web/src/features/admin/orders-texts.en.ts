export const texts = {
  search: 'Find an order',
  searchHint: 'Order, account ID or wallet',
  status: 'State',
  order: 'Order',
  account: 'Account',
  noEmail: 'Account without e-mail',
  price: 'Price',
  bought: 'Bought',
  stuck: (tries: string) => `Its next step failed ${tries} times`,
  none: 'There are no orders',
  noneText: 'Orders of all accounts stand here with their state. Whether anything is sold is told under Clusters.',
  toClusters: 'See the clusters',
}

export type Texts = typeof texts
