import { englishArea } from '@tidenet/contract/areas-english'
import { lang } from './texts.ts'

// English names are derived from the ids, so only Chinese pages load the others.
const chinese = lang === 'cn' ? (await import('@tidenet/contract/areas-chinese')).chineseArea : undefined

/** The name of an area in the page's language. */
export const areaName = (id: string): string => chinese?.(id) ?? englishArea(id)

/** The name of the country or territory of an area id (continent, country, province, city). */
export const countryOf = (areaId: string): string => areaName(areaId.split('-')[1] ?? areaId)
