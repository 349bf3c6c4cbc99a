import type { Order } from '@tidenet/contract'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'

/** Reloads every query that a change of an order affects. */
export const refreshOrders = (): void =>
  refresh('orders.history', 'orders.details', 'orders.notices', 'orders.offers', 'faucet.balance')

/** Opens the container console, of a region if given, in a new tab, with a single-use console token. */
export async function openConsole(region: Partial<Pick<Order, 'kub_name'>> = {}): Promise<void> {
  // Open the tab within the click: popup blockers stop tabs opened after a request.
  const tab = window.open('about:blank', '_blank')
  if (tab) tab.opener = null
  try {
    const { url } = await api('clusters.ticket', region.kub_name ? { kub_name: region.kub_name } : {})
    if (tab) tab.location.replace(new URL(url, location.origin).href)
    else location.assign(url)
  } catch (error) {
    tab?.close()
    toast.error(error)
  }
}
