import { chineseAreas } from './areas-chinese.ts'
import { englishArea } from './areas-english.ts'
import type { Lang } from './lang.ts'

/** An area in the reader's language; one we have no name for is its id in words: `NewArea` → `New Area`. */
export const areaName = (id: string, lang: Lang): string =>
  lang === 'cn' && Object.hasOwn(chineseAreas, id) ? (chineseAreas[id] ?? id) : englishArea(id)
