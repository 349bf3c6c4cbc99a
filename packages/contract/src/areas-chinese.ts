/** Chinese names of areas that Unicode's lists do not have, or name otherwise. */
const OWN: Readonly<Record<string, string>> = {
  Public: '公共',
  Unknown: '未知',
  CocosKeelingIslands: '科科斯（基林）群岛',
  Congo: '刚果（布）',
  DemocraticRepublicOfTheCongo: '刚果（金）',
  HongKong: '香港',
  IvoryCoast: '科特迪瓦',
  Macao: '澳门',
  Palestine: '巴勒斯坦',
  Turkey: '土耳其',
  UnitedArabEmirates: '阿联酋',
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Words of the name in upper camel case, without accents, for example `SaintKittsAndNevis`. */
const idOf = (english: string): string =>
  english
    .normalize('NFD')
    .replace(/\p{M}|\(.*\)|\./gu, '')
    .replace('&', 'and')
    .replace(/\bSt\b/, 'Saint')
    .replace(/\P{L}+(\p{L}?)/gu, (_, first: string) => first.toUpperCase())

let names: ReadonlyMap<string, string> | undefined
/** Chinese names of all countries and territories, by their name in area ids; built from the lists of the runtime, which saves a download. */
function countryNames(): ReadonlyMap<string, string> {
  const [english, chinese] = ['en', 'zh'].map(
    (lang) => new Intl.DisplayNames(lang, { type: 'region', fallback: 'none' }),
  )
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  return new Map(codes.map((code) => [idOf(english?.of(code) ?? ''), chinese?.of(code) ?? '']))
}

/** The Chinese name of a country or territory, by its name in area ids; undefined if there is none. */
export function chineseArea(id: string): string | undefined {
  if (Object.hasOwn(OWN, id)) return OWN[id]
  names ??= countryNames()
  return names.get(id) || undefined
}
