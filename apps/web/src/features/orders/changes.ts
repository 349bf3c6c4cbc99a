import type { Order } from '@tidenet/contract'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'

/** Makes everything load again that an order's change shows in. */
export const refreshOrders = (): void =>
  refresh('orders.history', 'orders.details', 'orders.notices', 'orders.offers', 'faucet.balance')

/** Opens the console, of a region when one is named, in a tab of its own, by a ticket that counts once. */
export async function openConsole(region: Partial<Pick<Order, 'kub_name'>> = {}): Promise<void> {
  // Opened while the click still counts: browsers keep back what comes later.
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
