import { chineseArea } from './areas-chinese.ts'
import { englishArea } from './areas-english.ts'
import type { Lang } from './lang.ts'

/** The name of an area; without a translation, its id split into words: `NewArea` → `New Area`. */
export const areaName = (id: string, lang: Lang): string =>
  (lang === 'cn' ? chineseArea(id) : undefined) ?? englishArea(id)
