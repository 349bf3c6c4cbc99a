import type { ListItem } from '@tidenet/contract'
import { useState } from 'react'
import { RowCheckbox } from '../../ui/row-checkbox.tsx'
import { t } from './texts.ts'

const keyOf = ({ Group, AssetOverview }: ListItem): string =>
  Group ? `folder ${Group.ID}` : `file ${AssetOverview?.UserAssetDetail.AssetID}`

export interface SharedSelection {
  items: readonly ListItem[]
  has(item: ListItem): boolean
  set(item: ListItem, selected: boolean): void
  clear(): void
}

/** The selected entries of a shared folder, also those of its other pages. */
export function useSharedSelection(): SharedSelection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListItem>>(new Map())
  return {
    items: [...chosen.values()],
    has: (item) => chosen.has(keyOf(item)),
    set(item, selected) {
      setChosen((before) => {
        const after = new Map(before)
        if (selected) after.set(keyOf(item), item)
        else after.delete(keyOf(item))
        return after
      })
    },
    clear: () => setChosen(new Map()),
  }
}

/** The checkbox of an entry. */
export function SelectBox({ item, selection }: { item: ListItem; selection: SharedSelection }) {
  const name = item.Group?.Name ?? item.AssetOverview?.UserAssetDetail.AssetName ?? ''
  return (
    <RowCheckbox
      label={t.folder.select(name)}
      checked={selection.has(item)}
      onChange={(checked) => selection.set(item, checked)}
    />
  )
}
