import type { Order } from '@tidenet/contract'
import type { ClusterName, Resources } from '@tidenet/contract/price'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { toast } from '../../ui/toast.ts'
import { refreshOrders } from './changes.ts'
import { exceeds, upgradeCost, upgradeProblem } from './terms.ts'
import { t } from './texts.ts'
import { useOffers } from './use-offers.ts'
import { usePrice } from './use-price.ts'

const b = t.buy
const SMALLEST: Resources = { cpu: 1, ram: 1, storage: 40, duration: 4 }

/**
 * State of a purchase: selected resources, price, and what blocks it.
 * @param old the running order to replace
 * @param machine initial resources
 */
export function usePurchase(old: Order | undefined, machine: Resources | undefined) {
  const offers = useOffers()
  const info = useQuery(query('wallets.bindInfo', {}))
  const linked = Boolean(info.data?.keplr)
  const balance = useQuery({ ...query('faucet.balance', {}), enabled: linked })
  const [chosen, setChosen] = useState<ClusterName>()
  const [wanted, setResources] = useState<Resources>(() => (old ? resourcesOf(old) : (machine ?? SMALLEST)))
  const [busy, setBusy] = useState(false)
  const [paying, setPaying] = useState<{ order: string; cost: number }>()
  // Default to the first region that accepts orders.
  const first = offers.data?.clusters.find(({ ready }) => ready)?.name ?? 'distributed'
  const region = old?.kub_name ?? chosen ?? first
  const { chain, clusters } = offers.data ?? {}
  const cluster = clusters?.find(({ name }) => name === region)
  // What was chosen in another region may not be offered in this one.
  const gpus = Math.min(wanted.gpus ?? 0, Math.max(cluster?.gpus ?? 0, old?.gpus ?? 0))
  const resources = { ...wanted, gpus }
  const price = usePrice(resources)
  const cost = old && price.cost !== undefined ? upgradeCost(price.cost, old, resources.duration) : price.cost

  const wrong = old && upgradeProblem(old, resources)
  /** Sentences that say why the purchase is not possible yet. */
  const blockedBy = [
    info.data && !linked && b.needWallet,
    chain && !chain.ready && chain.reason,
    cluster && !cluster.ready && `${b.notReady(t.regions[region])}${cluster.reason && `: ${cluster.reason}`}`,
    old && !old.actions.includes('upgrade') && b.upgradeGone,
    wrong && b[wrong],
    cost !== undefined && balance.data !== undefined && exceeds(cost, balance.data.balance) && b.over,
  ].filter((each): each is string => typeof each === 'string' && each !== '')

  const buy = async () => {
    if (cost === undefined) return
    setBusy(true)
    try {
      const created = old
        ? await api('orders.upgrade', { ...resources, id: old.id })
        : await api('orders.create', { ...resources, kub_name: region })
      refreshOrders()
      setPaying({ order: created.id, cost })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return {
    offers: offers.data,
    symbol: offers.data?.token?.symbol ?? 'cTNT',
    balance,
    region,
    gpusOffered: cluster?.gpus ?? 0,
    setRegion: setChosen,
    resources,
    setResources,
    price: { ...price, cost },
    blockedBy,
    ready: blockedBy.length === 0 && cost !== undefined && balance.data !== undefined && offers.data !== undefined,
    busy,
    buy: () => void buy(),
    paying,
    stopPaying: () => setPaying(undefined),
  }
}

export type Purchase = ReturnType<typeof usePurchase>

const resourcesOf = ({ cpu, ram, storage, duration, gpus }: Resources): Resources => ({
  ...{ cpu, ram, storage, duration, gpus },
})
