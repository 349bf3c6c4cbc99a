import { englishArea } from '@tidenet/contract/areas-english'
import { lang } from './texts.ts'

// English names follow from the ids: nobody who reads English needs the list.
const chinese = lang === 'cn' ? (await import('@tidenet/contract/areas-chinese')).chineseAreas : undefined

/** An area in the language of the page. */
export const areaName = (id: string): string =>
  (chinese && Object.hasOwn(chinese, id) ? chinese[id] : undefined) ?? englishArea(id)
