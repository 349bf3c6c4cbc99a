import { type AddressName, addresses } from '../../addresses.ts'
import { pageNames } from '../../lib/page-names.ts'
import { t as shell } from '../../lib/texts.ts'
import { t } from './menu-texts.ts'

/** The header's menus. */
export interface MenuEntry {
  address: AddressName
  /** Search parameters, such as `?type=NEWS`. */
  search?: Record<string, string>
  title: string
  text: string
}

interface SiteMenu {
  title: string
  entries: MenuEntry[]
}

const entry = (
  address: AddressName,
  text: string,
  { title = pageNames[address], search }: { title?: string; search?: Record<string, string> } = {},
): MenuEntry => ({ address, title, text, ...(search && { search }) })

/** The header's menus, in order. */
export function siteMenus(): SiteMenu[] {
  return [
    {
      title: shell.menus.userNetwork,
      entries: [
        entry('introduction', t.introduction),
        entry('network', t.network),
        entry('earn', t.earn),
        entry('verify', t.verify),
        entry('download', t.desktop, { title: t.desktopTitle }),
        entry('extension', t.extension),
      ],
    },
    {
      title: shell.menus.webServices,
      entries: [
        entry('storage', t.storage),
        entry('containers', t.containers),
        entry('prices', t.prices),
        entry('pcdn', t.pcdn),
        entry('aiData', t.aiData),
        entry('aiProxy', t.aiProxy),
        entry('services', t.services, { title: t.servicesTitle }),
      ],
    },
    {
      title: pageNames.learn,
      entries: [
        entry('learn', t.basics, { title: t.basicsTitle, search: { type: 'BASICS' } }),
        entry('learn', t.news, { title: t.newsTitle, search: { type: 'NEWS' } }),
        entry('learn', t.cases, { title: t.casesTitle, search: { type: 'CASES' } }),
        entry('ecology', t.ecology),
        entry('about', t.about),
      ],
    },
  ]
}

/** Path with search parameters, for links and the current-page mark. */
export const hrefOf = ({ address, search }: MenuEntry): string =>
  addresses[address].path + (search ? `?${new URLSearchParams(search)}` : '')
