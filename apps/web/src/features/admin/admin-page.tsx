import { Link } from '@tanstack/react-router'
import { isAgentRole } from '@tidenet/contract/roles'
import {
  ArrowLeft,
  ArrowLeftRight,
  Ban,
  Boxes,
  Cloud,
  CopyMinus,
  Flag,
  Gauge,
  Globe,
  Inbox,
  LifeBuoy,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Scale,
  ScrollText,
  Server,
  ServerCog,
  ShieldAlert,
  UsersRound,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { PageTitle } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Header } from '../shell/header.tsx'
import { menuLinkClass } from '../shell/menu-links.tsx'
import { NotFoundPage } from '../shell/not-found.tsx'
import { AuditView } from './audit-view.tsx'
import { ClustersView } from './clusters-view.tsx'
import { DisputesView } from './disputes-view.tsx'
import { NEEDS_SECOND_FACTOR } from './errors.ts'
import { LeadsView } from './leads-view.tsx'
import { MailsView } from './mails-view.tsx'
import { NodesView } from './nodes-view.tsx'
import { OrdersView } from './orders-view.tsx'
import { OverviewView } from './overview-view.tsx'
import { useAdminSearch, VIEWS, type View, viewOf } from './search.ts'
import { SupportsView } from './supports-view.tsx'
import { t } from './texts.ts'
import { UsersView } from './users-view.tsx'

const ThirdPartiesView = lazy(async () => ({ default: (await import('./third-parties-view.tsx')).ThirdPartiesView }))
const ReportsView = lazy(async () => ({ default: (await import('./reports-view.tsx')).ReportsView }))
const BlocksView = lazy(async () => ({ default: (await import('./blocks-view.tsx')).BlocksView }))
const PublishedView = lazy(async () => ({ default: (await import('./published-view.tsx')).PublishedView }))
const ContentsView = lazy(async () => ({ default: (await import('./contents-view.tsx')).ContentsView }))
const ExchangeView = lazy(() => import('./exchange-view.tsx'))
const ChatsView = lazy(async () => ({ default: (await import('./chats-view.tsx')).ChatsView }))

const icons: Readonly<Record<View, LucideIcon>> = {
  overview: Gauge,
  chats: MessagesSquare,
  users: UsersRound,
  nodes: ServerCog,
  contents: CopyMinus,
  reports: Flag,
  blocks: Ban,
  published: Globe,
  leads: Inbox,
  supports: LifeBuoy,
  disputes: Scale,
  orders: Boxes,
  exchange: ArrowLeftRight,
  clusters: Server,
  thirdParties: Cloud,
  mails: Mail,
  audit: ScrollText,
}

const views: Readonly<Record<View, () => ReactNode>> = {
  overview: () => <OverviewView />,
  chats: () => <ChatsView />,
  users: () => <UsersView />,
  nodes: () => <NodesView />,
  contents: () => <ContentsView />,
  reports: () => <ReportsView />,
  blocks: () => <BlocksView />,
  published: () => <PublishedView />,
  leads: () => <LeadsView />,
  supports: () => <SupportsView />,
  disputes: () => <DisputesView />,
  orders: () => <OrdersView />,
  exchange: () => <ExchangeView />,
  clusters: () => <ClustersView />,
  thirdParties: () => <ThirdPartiesView />,
  mails: () => <MailsView />,
  audit: () => <AuditView />,
}

/** The operator area; agents have only the chat desk. Everyone else gets "not found", from this page and from every API call. */
export function AdminPage() {
  const role = useSession((session) => session.userinfo?.role)
  return isAgentRole(role) ? <Area isOperator={role === 'operator'} /> : <NotFoundPage />
}

/** On small screens the menu is a row that scrolls horizontally. */
const bringIntoView = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ inline: 'center', block: 'nearest' })

function Area({ isOperator }: { isOperator: boolean }) {
  const wanted = viewOf(useAdminSearch())
  const view = isOperator ? wanted : 'chats'
  const fills = view === 'chats'
  usePageTitle(`${t.views[view]} · ${t.menu}`)
  // The server refuses them without a second factor, for all views alike.
  const access = useQuery(query('chatDesk.agents', {}))
  const needsSecondFactor = access.error instanceof ApiError && access.error.err === NEEDS_SECOND_FACTOR
  return (
    <div className="flex min-h-dvh flex-col">
      <Header wide />
      <div className="flex w-full flex-1 flex-col lg:flex-row">
        <aside className="shrink-0 border-line max-lg:border-b lg:sticky lg:top-15 lg:h-[calc(100dvh-3.75rem)] lg:w-60 lg:overflow-y-auto lg:border-r lg:px-3 lg:py-5">
          <p className="px-3 pb-1.5 text-xs font-medium text-muted max-lg:hidden">{t.menu}</p>
          <nav aria-label={t.menu} className="flex gap-0.5 overflow-x-auto max-lg:px-4 max-lg:py-2 lg:flex-col">
            {(isOperator ? VIEWS : [view]).map((each) => {
              const Icon = icons[each]
              return (
                <Link
                  key={each}
                  to="/admin"
                  search={(each === 'overview' ? {} : { view: each }) as never}
                  ref={each === view ? bringIntoView : undefined}
                  aria-current={each === view ? 'page' : undefined}
                  activeOptions={{ exact: true, includeSearch: true }}
                  className={`${menuLinkClass} whitespace-nowrap`}
                >
                  <Icon aria-hidden className="size-4.5" />
                  {t.views[each]}
                </Link>
              )
            })}
            <Link
              to="/dashboard"
              className={`${menuLinkClass} whitespace-nowrap lg:mt-5 lg:rounded-none lg:border-t lg:border-line lg:pt-4 lg:pb-1`}
            >
              <ArrowLeft aria-hidden className="size-4.5" />
              {t.toConsole}
            </Link>
          </nav>
        </aside>
        <main
          id="content"
          tabIndex={-1}
          className={classes(
            'min-w-0 flex-1 px-4 py-6 outline-none sm:px-6',
            // Its columns scroll on their own.
            fills ? 'lg:sticky lg:top-15 lg:h-[calc(100dvh-3.75rem)] lg:px-4 lg:py-4' : 'lg:px-8 lg:py-8',
          )}
        >
          <div className={fills ? 'flex flex-col lg:h-full' : 'mx-auto max-w-6xl'}>
            {fills ? (
              <h1 className="mb-3 text-xl font-semibold">{t.views[view]}</h1>
            ) : (
              <PageTitle title={t.views[view]} intro={t.intros[view]} />
            )}
            {needsSecondFactor ? (
              <Empty icon={<ShieldAlert aria-hidden className="size-6" />} title={t.refused.title}>
                <p>{access.error?.message}</p>
                <Link to="/myAccount" className={buttonClass('primary', 'mt-4')}>
                  {t.refused.toAccount}
                </Link>
              </Empty>
            ) : (
              <Suspense fallback={<Loading />}>{views[view]()}</Suspense>
            )}
          </div>
        </main>
      </div>
    </div>
  )
}
