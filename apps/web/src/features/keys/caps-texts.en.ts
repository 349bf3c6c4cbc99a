export const texts = {
  traffic: 'Traffic per month, GB',
  trafficHint: 'What the key may upload and download in a calendar month (UTC). Empty: no cap.',
  spending: 'Orders per month, TNT',
  spendingHint:
    'What the orders of the key may cost in a calendar month. Your wallet still pays each one. Empty: no orders.',
  badNumber: 'Enter a number, or leave it empty.',
  badWhole: 'Enter a whole number, or leave it empty.',
  trafficUsed: (used: string, cap: string, left: string) => `Traffic this month: ${used} of ${cap}, ${left} left`,
  reserved: (bytes: string) => `${bytes} reserved for transfers that have begun`,
  spent: (spent: number, cap: number) => `Orders this month: ${spent} of ${cap} TNT`,
  renewed: (day: string) => `Counts from zero again on ${day} (UTC)`,
}

export type Texts = typeof texts
