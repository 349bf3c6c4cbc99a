export const texts = {
  search: 'Find an order',
  searchHint: 'Order, account ID or wallet',
  status: 'Status',
  order: 'Order',
  account: 'Account',
  noEmail: 'Account without e-mail',
  price: 'Price',
  bought: 'Purchased',
  stuck: (tries: string) => `The next step failed ${tries} times`,
  none: 'No orders',
  noneText: 'Orders of all accounts appear here. Clusters shows whether containers can be ordered.',
  toClusters: 'Show clusters',
}

export type Texts = typeof texts
