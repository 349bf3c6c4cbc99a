import { type AddressName, addresses } from '../../addresses.ts'
import { t } from '../../lib/texts.ts'

/** What the menus of the header lead to. */
export interface MenuEntry {
  address: AddressName
  /** After the path: `?type=NEWS`. */
  search?: Record<string, string>
  title: string
  text: string
}

export interface SiteMenu {
  title: string
  entries: MenuEntry[]
}

const entry = (
  address: AddressName,
  text: string,
  { title = t.pages[address], search }: { title?: string; search?: Record<string, string> } = {},
): MenuEntry => ({ address, title, text, ...(search && { search }) })

export function siteMenus(): SiteMenu[] {
  const m = t.menus
  return [
    {
      title: m.userNetwork,
      entries: [
        entry('introduction', m.introduction),
        entry('network', m.network),
        entry('download', m.desktop, { title: m.desktopTitle }),
        entry('extension', m.extension),
      ],
    },
    {
      title: m.webServices,
      entries: [
        entry('storage', m.storage),
        entry('containers', m.containers),
        entry('pcdn', m.pcdn),
        entry('aiData', m.aiData),
        entry('aiProxy', m.aiProxy),
        entry('services', m.services, { title: m.servicesTitle }),
      ],
    },
    {
      title: t.pages.learn,
      entries: [
        entry('learn', m.basics, { title: m.basicsTitle, search: { type: 'BASICS' } }),
        entry('learn', m.news, { title: m.newsTitle, search: { type: 'NEWS' } }),
        entry('learn', m.cases, { title: m.casesTitle, search: { type: 'CASES' } }),
        entry('ecology', m.ecology),
        entry('about', m.about),
      ],
    },
  ]
}

/** The address with what follows it, for links and for where one is. */
export const hrefOf = ({ address, search }: MenuEntry): string =>
  addresses[address].path + (search ? `?${new URLSearchParams(search)}` : '')
