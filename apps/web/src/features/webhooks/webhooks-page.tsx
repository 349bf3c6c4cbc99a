import { Link } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { type NewSecret, SecretDialog } from './secret-dialog.tsx'
import { t } from './texts.ts'
import type { Webhook } from './types.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookRow } from './webhook-row.tsx'

const REFRESH_MS = 15_000

/** Webhooks: create, test, deliveries and replay. */
export function WebhooksPage() {
  const title = usePageTitle(t.title)
  const webhooks = useQuery({ ...query('webhooks.list', {}), refetchInterval: REFRESH_MS })
  const [editing, setEditing] = useState<Webhook | 'new'>()
  const [created, setCreated] = useState<NewSecret>()
  const { list = [], max = 0 } = webhooks.data ?? {}
  return (
    <div className="mx-auto max-w-4xl">
      <PageTitle
        title={title}
        intro={t.intro}
        actions={
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            disabled={!webhooks.data || list.length >= max}
            onClick={() => setEditing('new')}
          >
            {t.create}
          </Button>
        }
      />
      <p className="mb-4">
        <Link
          to="/developer"
          hash="webhooks"
          className="inline-flex min-h-7 items-center text-sm text-accent underline"
        >
          {t.guide}
        </Link>
      </p>
      {webhooks.isPending ? (
        <Loading />
      ) : webhooks.isError ? (
        <LoadFailed title={t.failed} error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      ) : list.length === 0 ? (
        <Card>
          <Empty icon={<WebhookIcon aria-hidden className="size-6" />} title={t.emptyTitle}>
            {t.emptyText}
          </Empty>
        </Card>
      ) : (
        <>
          <p className="mb-2 text-sm text-muted">{t.countOf(list.length, max)}</p>
          <Card>
            <ul>
              {list.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onEdit={() => setEditing(webhook)}
                  onSecret={setCreated}
                />
              ))}
            </ul>
          </Card>
        </>
      )}
      {editing && (
        <WebhookDialog
          webhook={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onCreated={(secret) => setCreated({ secret })}
        />
      )}
      {created && <SecretDialog {...created} onClose={() => setCreated(undefined)} />}
    </div>
  )
}
