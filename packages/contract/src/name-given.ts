interface Listed {
  AssetOverview: { UserAssetDetail: { AssetName: string } } | null
}

const NUMBER = / \(\d+\)(?=(\.[^.]*)?$)/

/**
 * The name of a content that was stored with `on_conflict: keep_both`, which numbers a name that is taken: `report (2).pdf`.
 * @param found the files of the folder with this content, the newest first
 */
export function nameGiven(asked: string, found: readonly Listed[]): string {
  const names = found.flatMap(({ AssetOverview: asset }) => (asset ? [asset.UserAssetDetail.AssetName] : []))
  if (names.includes(asked)) return asked
  // A name that was too long for a number is cut.
  return names.find((name) => name.replace(NUMBER, '') === asked) ?? names[0] ?? asked
}
